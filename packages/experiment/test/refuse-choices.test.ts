import type { Problem } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { choiceError, type NamedChoice, refusedChoice } from '../src/refuse-choices.ts';

const problem = (message: string, more: Partial<Problem> = {}): Problem => ({
  ...{ file: 'shipped.yaml', line: 1, column: 1, code: 'TB_SCHEMA_INVALID', message },
  ...more,
});

const choices: readonly NamedChoice[] = [
  { name: 'rate', value: 5 },
  { name: 'work', value: 'zz' },
];
const has = (left: readonly NamedChoice[], name: string): boolean => left.some((one) => one.name === name);

describe('a choice', () => {
  it('that causes an error is named with its value, the code and the hint of the error', () => {
    const found = [problem('of the file'), problem('of the work', { hint: 'a unit' })];
    const refused = refusedChoice(found, choices, (left) => (has(left, 'work') ? found : found.slice(0, 1)));
    expect(refused && choiceError(refused)).toMatchObject({
      code: 'TB_SCHEMA_INVALID',
      message: 'the choice work=zz: of the work',
      hint: 'a unit',
    });
  });

  it('that is a number in place of a text has the form that a shell keeps', () => {
    const fault = problem('expected a text', { hint: 'write it in quotes: "100000"' });
    expect(choiceError({ name: 'name', value: 1e5, fault }).hint).toContain(`'name="…"'`);
  });

  it('without which another error hides this one is not named where another choice causes it', () => {
    const found = [problem('of the work')];
    const refused = refusedChoice(found, choices, (left) => {
      if (!has(left, 'rate')) return [problem('the rate is missing')];
      return has(left, 'work') ? found : [];
    });
    expect(refused).toMatchObject({ name: 'work', fault: { message: 'of the work' } });
  });

  it('that hides the error is named when no other causes it', () => {
    const found = [problem('of the driver')];
    const refused = refusedChoice(found, choices, (left) => (has(left, 'rate') ? found : [problem('no rate')]));
    expect(refused).toMatchObject({ name: 'rate' });
  });

  it('is not named for an error of the file, nor for a warning', () => {
    const ofFile = [problem('of the file')];
    expect(refusedChoice(ofFile, choices, () => ofFile)).toBeUndefined();
    const warnings = [problem('a slow cell', { severity: 'warning' })];
    expect(refusedChoice(warnings, choices, () => [])).toBeUndefined();
  });

  it('is left out only to find which of several causes an error', () => {
    const checks: string[][] = [];
    const count = (errors: readonly Problem[], some: readonly NamedChoice[]): number => {
      checks.length = 0;
      refusedChoice(errors, some, (left) => {
        checks.push(left.map(({ name }) => name));
        return has(left, 'rate') ? errors : [];
      });
      return checks.length;
    };
    expect(count([problem('a rate')], choices.slice(0, 1))).toBe(1);
    expect(count([problem('a rate')], choices)).toBe(2);
    expect(count([problem('a rate', { severity: 'warning' })], choices)).toBe(0);
  });
});
