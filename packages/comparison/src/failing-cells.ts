/**
 * Cells whose requests fail: more of them than the experiment allows, for a cause on the measured side. A gate fails
 * for them. Times of failed requests are no figures of the work, so only metrics that count failures read them.
 */
import { describeCell } from '@topo-bench/core';
import type { Cell, ValidityReason } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import type { CellRepetitions } from './cell-samples.ts';
import { formatValue } from './format-value.ts';
import { manyText } from './further-repetitions.ts';
import type { GateCell, ThresholdResult } from './gate-result.ts';
import type { Threshold } from './threshold.ts';

/**
 * Whether more requests failed than the experiment allows. Late requests do not make answers wrong; a generator without
 * processor time, or a dead role, may.
 */
export function isFailing({ validity: { why = [] } }: Pick<Cell, 'validity'>): boolean {
  const has = (...kinds: ValidityReason['kind'][]): boolean => why.some(({ kind }) => kinds.includes(kind));
  return has('errors') && !has('generator-bound', 'died');
}

/** No repetition is valid, and requests fail in at least one of them. */
export function alwaysFails({ valid, invalid }: CellRepetitions): boolean {
  return valid.length === 0 && invalid.some(isFailing);
}

/** The cell with its failing repetitions among the valid ones, for metrics that count failures. */
export function withFailing(cell: CellRepetitions): CellRepetitions {
  const valid = [...cell.valid, ...cell.invalid.filter(isFailing)];
  return { ...cell, valid, invalid: cell.invalid.filter((entry) => !isFailing(entry)) };
}

/**
 * The verdict of a threshold on a candidate whose requests fail.
 * @param failing at least one cell, each of which always fails
 * @param cells number of cells that the threshold concerns
 */
export function failedBy(
  { text, metric, kind, limit }: Threshold,
  failing: readonly CellRepetitions[],
  cells: number,
): ThresholdResult {
  const reasons = failing.map(reasonOf);
  const where =
    cells === 1 ? '' : ` in ${failing.length} of ${cells} cells, e.g. ${describeCell(failing[0]?.factors ?? {})}`;
  return {
    ...{ threshold: text, metric: metric.name, kind, limit },
    verdict: 'failed',
    reason: `the candidate fails its requests${where}: ${reasons[0]}`,
    cells: failing.map(
      ({ factors, invalid, saturated }, at): GateCell => ({
        ...{ factors, metric: metric.name, threshold: text },
        ...{ baseline: Number.NaN, candidate: Number.NaN, difference: Number.NaN, differencePercent: Number.NaN },
        ...{ interval: [Number.NaN, Number.NaN], pValue: Number.NaN },
        ...{ verdict: 'failed', passed: false, reason: reasons[at] as string, saturated },
        repetitions: { candidate: { used: 0, invalid: invalid.length, missing: 0 } },
      }),
    ),
  };
}

/** e.g. `94% of them ended with an error, mostly http-500:pricing, in 3 repetitions`. */
function reasonOf({ invalid }: CellRepetitions): string {
  const failing = invalid.filter(isFailing);
  const shares = failing.map(
    ({ outcomes: { completed, refused, error, unfinished } }) => error / (completed + refused + error + unfinished),
  );
  const counts = new Map<string, number>();
  for (const [kind, count] of failing.flatMap(({ errors }) => Object.entries(errors))) {
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const kind = most ? `, ${counts.size > 1 ? 'mostly ' : ''}${most[0]}` : '';
  return `${formatValue(median(shares), 'share')} of them ended with an error${kind}, in ${manyText(failing.length)}`;
}

/** A note on failing repetitions of cells that also have valid ones, which alone are judged. */
export function failingNotes(candidate: readonly CellRepetitions[]): string[] {
  const some = candidate.filter(({ valid, invalid }) => valid.length > 0 && invalid.some(isFailing));
  if (some.length === 0) return [];
  const failing = some.reduce((sum, { invalid }) => sum + invalid.filter(isFailing).length, 0);
  const all = some.reduce((sum, { valid, invalid }) => sum + valid.length + invalid.length, 0);
  return [
    `in ${failing} of ${manyText(all)} the candidate failed more requests than the experiment allows; times are judged without them`,
  ];
}
