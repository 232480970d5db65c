/** What a comparison could not have seen, and what more repetitions would cost. */
import { randomStream } from '@topo-bench/core';
import { expect, test } from 'vitest';
import { compareRuns } from '../src/compare.ts';
import { costOfRounds } from '../src/cost-of-rounds.ts';
import { sensitivitySentences } from '../src/sensitivity-sentences.ts';
import { noisy } from './fixtures/noise.ts';
import { type CellFigures, cellRun, runOf, saturated } from './fixtures/run-of.ts';

const flat = (centre: number, count = 8): number[] => Array.from({ length: count }, (_, i) => centre * (1 + 0.001 * i));

test('the required repetitions have their time, and what would need fewer', () => {
  const random = randomStream(7, 'same');
  const baseline = cellRun(noisy(random, 2000, 0.06, 10));
  const { cells } = compareRuns(baseline, cellRun(noisy(random, 2000, 0.06, 10)));
  const needed = cells[0]?.neededRepetitions as number;
  const cost = { roundSeconds: 60, couldTakeTurns: true, rounds: 10, folders: ['runs/my run'] };
  const [, sentence, fewer] = sensitivitySentences(cells, 0.05, cost);
  const further = `about ${needed - 10} min more: topo-bench run --resume 'runs/my run' --repetitions ${needed}`;
  expect(sentence).toBe(`To see 5% in every cell it would need ${needed} repetitions (${further}).`);
  const [, forTwice] =
    /^Fewer would do: (\d+) repetitions \(about \d+ min more\), for 10%; or with levels/.exec(fewer ?? '') ?? [];
  // Twice the change needs about a quarter.
  expect(Number(forTwice) / needed).toBeCloseTo((Math.log(1.05) / Math.log(1.1)) ** 2, 1);
  expect(sensitivitySentences(cells, 0.05)[1]).toBe(`To see 5% in every cell it would need ${needed} repetitions.`);
});

test('no number of repetitions is offered that a run already has', () => {
  const random = randomStream(7, 'same');
  const { cells } = compareRuns(cellRun(noisy(random, 2000, 0.06, 10)), cellRun(noisy(random, 2000, 0.06, 10)));
  const near = cells.map((cell) => ({ ...cell, minimumDetectablePercent: 8, neededRepetitions: 20 }));
  expect(sensitivitySentences(near, 0.05).slice(1)).toEqual(['To see 5% in every cell it would need 20 repetitions.']);
});

test('a repetition costs what a round costs, without the pause before a run was resumed', () => {
  const started = ['10:00:00', '10:00:30', '10:01:00', '13:00:00', '13:00:30'];
  const change: CellFigures['change'] = (entry, repetition) => ({
    ...entry,
    startedAt: `2026-01-01T${started[repetition - 1]}.000Z`,
  });
  const run = runOf([{ factors: { architecture: 'none' }, mediansUs: flat(100, 5), change }]);
  expect(costOfRounds([run])).toEqual({ roundSeconds: 30, couldTakeTurns: true, rounds: 5 });
  expect(costOfRounds([run, run])).toEqual({ roundSeconds: 60, couldTakeTurns: false, rounds: 5 });
  expect(costOfRounds([cellRun(flat(100, 1))]).roundSeconds).toBeUndefined();
});

test('turns are no way out where the host was saturated', () => {
  const measured = [{ factors: { rate: 20 }, mediansUs: flat(100, 5) }];
  const overloaded = { factors: { rate: 80 }, mediansUs: flat(1000, 5), change: saturated };
  expect(costOfRounds([runOf(measured)]).couldTakeTurns).toBe(true);
  expect(costOfRounds([runOf([...measured, overloaded])]).couldTakeTurns).toBe(false);
});

test('three repetitions cannot show any difference; the report names four as enough', () => {
  const { cells } = compareRuns(cellRun(flat(100, 3)), cellRun(flat(1000, 3)));
  expect(cells[0]).toMatchObject({
    verdict: 'cannot tell',
    smallestRepetitions: 4,
    minimumDetectablePercent: Number.POSITIVE_INFINITY,
  });
  expect(sensitivitySentences(cells, 0.05)).toEqual([
    'With 3 repetitions this comparison could not have shown any difference; 4 could.',
  ]);
  const cost = { roundSeconds: 40, couldTakeTurns: false, rounds: 3, folders: ['runs/old', 'runs/new'] };
  expect(sensitivitySentences(cells, 0.05, cost)).toEqual([
    'With 3 repetitions this comparison could not have shown any difference; 4 could (about 40 s more: topo-bench run --resume runs/old --repetitions 4, and the same for runs/new, each with the code that it measured).',
  ]);
});

test('among many cells more repetitions are needed than for one cell compared alone', () => {
  const cells = Array.from({ length: 20 }, (_, i) => ({ factors: { rate: i + 1 }, mediansUs: flat(100, 4) }));
  // 2 / C(2n, n) is below 0.05 / 20 from n = 6 on, and below 0.05 from n = 4 on.
  expect(sensitivitySentences(compareRuns(runOf(cells), runOf(cells)).cells, 0.05)).toEqual([
    'With 4 repetitions, among 20 cells compared at once, this comparison could not have shown any difference; 6 could. A cell compared alone needs 4.',
  ]);
});
