/**
 * What the gate and the usual rule of thumb decide about the same synthetic pairs of runs, whose truth is known: two
 * cells, 4% spread between repetitions. Run with `npx tsx packages/comparison/bench/gate-rules.ts [pairs]`; the same
 * figures every time.
 */
import { randomStream } from '@topo-bench/core';
import { median } from '@topo-bench/stats';
import { gate } from '../src/gate.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy, normal } from '../test/fixtures/noise.ts';
import { runOf } from '../test/fixtures/run-of.ts';

const pairs = Number(process.argv[2] ?? 200);
const repetitions = 10;
const centresUs = [800, 5000];
const threshold = [parseThreshold('rtt.median < +5%')];

interface Truth {
  name: string;
  /** Candidate / baseline. */
  factor: number;
  /** Spread of whole runs: everything that makes today's machine another than yesterday's. */
  betweenRuns: number;
}

const truths: Truth[] = [
  { name: 'unchanged', factor: 1, betweenRuns: 0 },
  { name: '5% slower, at the limit', factor: 1.05, betweenRuns: 0 },
  { name: '10% slower', factor: 1.1, betweenRuns: 0 },
  { name: 'unchanged, whole runs differ by 5%', factor: 1, betweenRuns: 0.05 },
];

/** Median RTT of each repetition, by cell. */
function draw(side: string, pair: number, factor: number, betweenRuns: number): number[][] {
  const random = randomStream(pair, side);
  const day = Math.exp(betweenRuns * normal(random));
  return centresUs.map((centre) => noisy(random, centre * factor * day, 0.04, repetitions));
}

function run(cells: readonly number[][]) {
  return runOf(cells.map((mediansUs, rate) => ({ factors: { rate }, mediansUs })));
}

const rows = truths.map(({ name, factor, betweenRuns }) => {
  const counts = { passed: 0, failed: 0, 'cannot tell': 0 };
  let [oneRepetition, medians] = [0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    const baseline = draw('baseline', pair, 1, betweenRuns);
    const candidate = draw('candidate', pair, factor, betweenRuns);
    counts[gate(run(candidate), run(baseline), threshold).verdict]++;
    const exceeds = (of: (values: number[]) => number, limit: number): boolean =>
      candidate.some((values, cell) => of(values) > limit * of(baseline[cell] as number[]));
    if (exceeds(([first = 0]) => first, 1.1)) oneRepetition++;
    if (exceeds(median, 1.05)) medians++;
  }
  const percent = (count: number): string => `${Math.round((100 * count) / pairs)}%`;
  return {
    truth: name,
    'gate fails': percent(counts.failed),
    'gate cannot tell': percent(counts['cannot tell']),
    '10% rule, one repetition': percent(oneRepetition),
    '5% rule, medians of ten': percent(medians),
  };
});
console.table(rows);
