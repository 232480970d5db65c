import { expect, it } from 'vitest';
import { flagTexts } from '../src/flag-text.ts';

const entry = (flags: string[], host: Record<string, number> = {}) => ({
  validity: { valid: true, reasons: [], flags },
  resources: { host },
});

it('states the role that its limit stopped most, and how often', () => {
  const limited = (throttledPeriods: number, role = 'service') => ({
    validity: { valid: true, reasons: [], flags: ['cpu-throttled'] },
    resources: { [role]: { quotaPeriods: 200, throttledPeriods }, gateway: {} },
  });
  expect(flagTexts([limited(24)])).toEqual(['cpu-throttled (service in 12% of the periods of its limit)']);
  expect(flagTexts([limited(24), limited(1), limited(70, 'sidecar')])).toEqual([
    'cpu-throttled (sidecar in up to 35% of the periods of its limit)',
  ]);
});

it('states the share of processor time that other programs used', () => {
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
