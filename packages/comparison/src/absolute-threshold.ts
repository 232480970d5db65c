/**
 * A threshold on the figure itself. Repetitions of a cell that agree decide alone: n of them agree by chance in one of
 * 2^n cells whose median is at the limit, so that few are a plain comparison. When they disagree, the interval of their
 * median decides. An interval that contains the limit leaves the cell undecided. One outlier therefore neither fails a
 * build nor saves it.
 */
import { counted, groupedBy } from '@topo-bench/core';
import { median, medianInterval } from '@topo-bench/stats';
import { type CellRepetitions, samplesOf } from './cell-samples.ts';
import type { CostOfRounds } from './cost-of-rounds.ts';
import { tooFewRequests } from './enough-requests.ts';
import { formatValue } from './format-value.ts';
import { furtherText, manyText } from './further-repetitions.ts';
import type { GateCell, ThresholdResult } from './gate-result.ts';
import { forbidsAbove, holds, type Threshold } from './threshold.ts';

/**
 * @param alpha error rate of a failure over all cells, and of passing each cell
 * @param cost of further repetitions
 * @param forecast whether the reason has the number of repetitions that would tell
 */
export function checkAbsolute(
  threshold: Threshold,
  candidate: readonly CellRepetitions[],
  { alpha, cost, forecast = true }: { alpha: number; cost?: CostOfRounds; forecast?: boolean },
): ThresholdResult {
  const { metric, limit, text, kind } = threshold;
  // Cells that cannot have this figure are ignored, e.g. those without the role of another architecture.
  const concerned = candidate.filter(
    ({ valid }) => valid.length === 0 || valid.some((entry) => metric.read(entry) !== undefined),
  );
  const cells = concerned.map((cell) =>
    checkCell(threshold, cell, { passing: alpha, failing: alpha / concerned.length }),
  );
  const result = { threshold: text, metric: metric.name, kind, limit, cells };
  const failed = cells.filter(({ passed }) => passed === false);
  const undecided = cells.filter(({ passed }) => passed === null);
  const among = (some: readonly GateCell[]): string =>
    cells.length === 1 ? '' : ` in ${some.length} of ${cells.length} cells`;
  const range = (some: readonly GateCell[]): string => {
    const values = some.map(({ candidate }) => candidate).filter((value) => !Number.isNaN(value));
    if (values.length === 0) return 'no figure';
    const [min, max] = [Math.min(...values), Math.max(...values)].map((value) => formatValue(value, metric.unit));
    return min === max ? `${min}` : `${min} to ${max}`;
  };
  if (failed.length > 0) {
    const reason = `${range(failed)}${among(failed)}${plainText(failed, alpha / cells.length)}`;
    return { ...result, verdict: 'failed', reason };
  }
  if (undecided.length > 0) {
    const needed = undecided.map(({ repetitionsNeeded }) => repetitionsNeeded).filter((number) => number !== undefined);
    const have = Math.min(...undecided.map(({ repetitions }) => repetitions.candidate.used));
    const most = Math.max(...needed);
    // No number of repetitions decides a cell without a figure.
    const isUseful = forecast && needed.length === undecided.length;
    const more = isUseful ? `; ${most} repetitions or more would tell${furtherText(most, have, cost)}` : '';
    const reasons = [...groupedBy(undecided, ({ reason = 'no figures' }) => reason)];
    return {
      ...result,
      verdict: 'cannot tell',
      reason: `${reasons.map(([reason, some]) => `${reason}${among(some)}`).join('; ')}${more}`,
      ...(isUseful && { repetitionsNeeded: Math.max(...needed) }),
    };
  }
  return { ...result, verdict: 'passed', reason: `${range(cells)}${plainText(cells, alpha)}` };
}

/** Where agreement by chance is more frequent than the error rate. */
function plainText(cells: readonly GateCell[], alpha: number): string {
  const fewest = Math.min(...cells.map(({ repetitions }) => repetitions.candidate.used));
  return 2 ** -fewest > alpha ? `; a plain comparison: ${manyText(fewest)} without an error rate` : '';
}

function checkCell(threshold: Threshold, cell: CellRepetitions, alpha: { passing: number; failing: number }): GateCell {
  const { metric } = threshold;
  const { samples, missing } = samplesOf(cell, metric);
  const values = samples.map(({ value }) => value);
  const common = {
    factors: cell.factors,
    metric: metric.name,
    threshold: threshold.text,
    baseline: Number.NaN,
    candidate: values.length === 0 ? Number.NaN : median(values),
    difference: Number.NaN,
    differencePercent: Number.NaN,
    interval: [Number.NaN, Number.NaN] as [number, number],
    pValue: Number.NaN,
    repetitions: { candidate: { used: values.length, invalid: cell.invalid.length, missing } },
    saturated: cell.full.size > 0,
  };
  if (values.length === 0)
    return { ...common, verdict: 'cannot tell', passed: null, reason: 'no valid repetition with this figure' };
  const few = tooFewRequests(metric, cell.valid);
  if (few !== undefined) return { ...common, verdict: 'cannot tell', passed: null, reason: few };
  const within = values.filter((value) => holds(threshold, value)).length;
  if (within === 0) return { ...common, verdict: 'failed', passed: false };
  const ends = (confidence: number): [low: number, high: number] => medianInterval(values, confidence);
  const isAbove = forbidsAbove(threshold);
  if (!holds(threshold, ends(alpha.failing)[isAbove ? 0 : 1])) return { ...common, verdict: 'failed', passed: false };
  if (missing > 0) {
    const reason = `${missing} of ${manyText(cell.valid.length)} without this figure`;
    return { ...common, verdict: 'cannot tell', passed: null, reason };
  }
  if (within === values.length || holds(threshold, ends(alpha.passing)[isAbove ? 1 : 0])) {
    return { ...common, verdict: 'passed', passed: true };
  }
  return {
    ...common,
    verdict: 'cannot tell',
    passed: null,
    reason: `${values.length - within} of ${counted(values.length, 'repetition')} are beyond ${formatValue(threshold.limit, metric.unit)}`,
    // The median has no interval below six values. From there on, twice as many values narrow it by a third.
    repetitionsNeeded: Math.max(6, 2 * values.length),
  };
}
