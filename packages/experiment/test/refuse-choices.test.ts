import type { Problem } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { refuseChoices } from '../src/refuse-choices.ts';

const problem = (message: string, more: Partial<Problem> = {}): Problem => ({
  ...{ file: 'shipped.yaml', line: 1, column: 1, code: 'TB_SCHEMA_INVALID', message },
  ...more,
});

describe('a choice', () => {
  const choices = { rate: 5, work: 'zz' };

  it('that causes an error is named with its value, the code and the hint of the error', () => {
    const found = [problem('of the file'), problem('of the work', { hint: 'a unit' })];
    const without = (name: string): Problem[] => (name === 'work' ? found.slice(0, 1) : found);
    expect(() => refuseChoices(found, choices, without)).toThrow(
      expect.objectContaining({
        code: 'TB_SCHEMA_INVALID',
        message: 'the choice work=zz: of the work',
        hint: 'a unit',
      }),
    );
  });

  it('without which another error hides this one is not named where another choice causes it', () => {
    const found = [problem('of the work')];
    const without = (name: string): Problem[] => (name === 'work' ? [] : [problem('the rate is missing')]);
    expect(() => refuseChoices(found, choices, without)).toThrow('the choice work=zz: of the work');
  });

  it('is not named for an error of the file, nor for a warning', () => {
    const ofFile = [problem('of the file')];
    expect(() => refuseChoices(ofFile, choices, () => ofFile)).not.toThrow();
    const warnings = [problem('a slow cell', { severity: 'warning' })];
    expect(() => refuseChoices(warnings, choices, () => [])).not.toThrow();
  });
});
