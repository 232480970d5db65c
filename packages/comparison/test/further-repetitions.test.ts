import { expect, test } from 'vitest';
import { costOfRounds } from '../src/cost-of-rounds.ts';
import { furtherText } from '../src/further-repetitions.ts';
import { type CellFigures, runOf } from './fixtures/run-of.ts';

const started: CellFigures['change'] = (entry, repetition) => ({
  ...entry,
  startedAt: new Date(Date.UTC(2026, 0, 1) + repetition * 120e3).toISOString(),
});
const cells = [{ factors: { architecture: 'none' }, mediansUs: [100, 101, 102], change: started }];
const resumable = runOf(cells, { inputs: {} }, 'runs/one');

test('further repetitions have their time and the command that adds them', () => {
  expect(furtherText(5, 3, costOfRounds([resumable]))).toBe(
    ' (about 4 min more: topo-bench run --resume runs/one --repetitions 5)',
  );
});

test('invalid repetitions are replaced by further rounds', () => {
  expect(furtherText(5, 1, costOfRounds([resumable]))).toBe(
    ' (about 8 min more: topo-bench run --resume runs/one --repetitions 7)',
  );
});

test('an unknown time is not guessed, and a run that cannot be resumed has no command', () => {
  const once = runOf([{ factors: { architecture: 'none' }, mediansUs: [100], change: started }], { inputs: {} });
  expect(furtherText(5, 1, costOfRounds([once]))).toBe(' (topo-bench run --resume run --repetitions 5)');
  expect(furtherText(5, 3, costOfRounds([runOf(cells)]))).toBe(' (about 4 min more)');
  expect(furtherText(5, 1, costOfRounds([runOf([{ factors: {}, mediansUs: [1] }])]))).toBe('');
  expect(furtherText(5, 3, undefined)).toBe('');
});

test('sides that took turns share their rounds, and cannot be resumed', () => {
  const side = (name: 'baseline' | 'candidate') =>
    runOf(cells, { inputs: {}, sideBySide: { id: 'one', side: name, ref: '.' } }, `runs/${name}`);
  expect(furtherText(5, 3, costOfRounds([side('baseline'), side('candidate')]))).toBe(' (about 4 min more)');
});

test('an impractical number has no price', () => {
  expect(furtherText(1001, 3, costOfRounds([resumable]))).toBe('');
});
