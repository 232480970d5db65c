import { expect, it } from 'vitest';
import { isDisturbed } from '../src/disturbed.ts';
import { flagTexts } from '../src/flag-text.ts';

const entry = (flags: string[], host: Record<string, number> = {}) => ({
  validity: { valid: true, reasons: [], flags },
  resources: { host },
});

it('names the share of the processors that others had', () => {
  expect(flagTexts([entry(['foreign-load', 'cold'], { foreignPercent: 34.5678 })])).toEqual([
    'foreign-load (35% of the processors)',
    'cold',
  ]);
  const two = [
    entry(['stolen'], { stolenPercent: 1.25 }),
    entry(['stolen'], { stolenPercent: 3 }),
    entry([], { stolenPercent: 50 }),
  ];
  expect(flagTexts(two)).toEqual(['stolen (up to 3% of the processors)']);
  expect(flagTexts([entry(['foreign-load'])])).toEqual(['foreign-load']);
});

it('lets a repetition under foreign load be measured again, and none that is wrong for another reason', () => {
  const validity = (valid: boolean, flags: string[]) => ({ valid, reasons: valid ? [] : ['1 wrong decision'], flags });
  expect(isDisturbed(validity(true, ['foreign-load']))).toBe(true);
  expect(isDisturbed(validity(true, ['host-saturated', 'stolen']))).toBe(false);
  expect(isDisturbed(validity(false, ['foreign-load']))).toBe(false);
  expect(isDisturbed({ ...validity(false, []), onlyLate: true })).toBe(true);
});
