/** The sensitivity of the joint test, compared with the textbook's standard errors. */
import { expect, test } from 'vitest';
import { cellsOf } from '../src/cell-samples.ts';
import { testCells } from '../src/joint-test.ts';
import { matchRuns } from '../src/match-cells.ts';
import { parseThreshold } from '../src/threshold.ts';
import { cellRun } from './fixtures/run-of.ts';

// Quantiles of the normal distribution for a power of 80% and of 95%.
const [z80, z95] = [0.8416, 1.6449];
const threshold = parseThreshold('rtt.median < +5%');
/** Medians with these residuals of their logarithms: the mean is the median, and none is an outlier. */
const mediansUs = (residuals: readonly number[]): number[] => residuals.map((by) => 1000 * Math.exp(by));
const [from, to] = [
  [-0.04, -0.02, 0, 0.02, 0.04],
  [-0.05, -0.03, -0.01, 0, 0.01, 0.03, 0.05],
];
const squares = (residuals: readonly number[]): number => residuals.reduce((sum, value) => sum + value ** 2, 0);

test('the sensitivity of a test on two runs grows with the pooled standard error of Student', () => {
  const [m, n] = [from.length, to.length];
  const error = Math.sqrt((squares(from) + squares(to)) / (m + n - 2)) * Math.sqrt(1 / m + 1 / n);
  const { pairs } = matchRuns(cellsOf(cellRun(mediansUs(from))), cellsOf(cellRun(mediansUs(to))));
  const [cell] = testCells(threshold, pairs, 0.05);
  const { detectable = 0, reliablyDetectable = 0 } = cell ?? {};
  expect(reliablyDetectable - detectable).toBeCloseTo((z95 - z80) * error, 5);
  // A change by less than the interval's half length is never shown, one of twice as much always.
  expect(detectable).toBeGreaterThan((1.6 + z80) * error);
  expect(detectable).toBeLessThan(2 * (1.6 + z80) * error);
});

test('the sensitivity of a test on rounds grows with the standard error of their differences', () => {
  const error = Math.sqrt(squares(to) / (to.length - 1)) / Math.sqrt(to.length);
  const unchanged = to.map(() => 0);
  const { pairs } = matchRuns(cellsOf(cellRun(mediansUs(unchanged))), cellsOf(cellRun(mediansUs(to))), true);
  const [cell] = testCells(threshold, pairs, 0.05);
  const { detectable = 0, reliablyDetectable = 0 } = cell ?? {};
  expect(reliablyDetectable - detectable).toBeCloseTo((z95 - z80) * error, 5);
});
