import { expect, test } from 'vitest';
import type { Outcome, Verdict } from '../src/index.ts';
import { mergeBranches } from '../src/merge-branches.ts';
import { stateOf } from './state.ts';

const completed: Verdict = { kind: 'completed' };
const refusals: Verdict[] = [1, 2].map((service) => ({ kind: 'refused', service, rule: 0 }));
const errors: Verdict[] = ['first', 'second'].map((error) => ({ kind: 'error', error, message: '' }));

function verdictOf(...verdicts: (Verdict | undefined)[]): Verdict {
  const outcomes = verdicts.map((verdict) => ({ state: stateOf({}), verdict }) as Outcome);
  return mergeBranches(stateOf({}), outcomes);
}

test('a group completes when all of its branches complete', () => {
  expect(verdictOf(completed, completed)).toEqual(completed);
});

test('an unfinished branch outranks a refusal in any order, since the first refusal is then unknown', () => {
  expect(verdictOf(refusals[0], completed, errors[0])).toEqual(errors[0]);
  expect(verdictOf(errors[0], refusals[0])).toEqual(errors[0]);
});

test('the first of several refusals or errors in file order is the verdict of the group', () => {
  expect(verdictOf(completed, refusals[1], refusals[0])).toEqual(refusals[1]);
  expect(verdictOf(errors[1], completed, errors[0])).toEqual(errors[1]);
});
