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
 * Whether a service of the user ended, or more requests failed than the experiment allows. Late requests do not make
 * answers wrong; a generator without processor time, or another dead role, may.
 */
export function isFailing({ validity: { why = [] } }: Pick<Cell, 'validity'>): boolean {
  const has = (...kinds: ValidityReason['kind'][]): boolean => why.some(({ kind }) => kinds.includes(kind));
  return why.some(endedByItself) || (has('errors') && !has('generator-bound', 'died'));
}

function endedByItself(reason: ValidityReason): boolean {
  return reason.kind === 'died' && reason.userService === true;
}

/** At least half of the repetitions fail. An error among many requests of one repetition breaks no candidate. */
export function failsMostly({ valid, invalid }: CellRepetitions): boolean {
  const failing = invalid.filter(isFailing).length;
  return failing > 0 && 2 * failing >= valid.length + invalid.length;
}

/** The cell with its failing repetitions among the valid ones, for metrics that count failures. */
export function withFailing(cell: CellRepetitions): CellRepetitions {
  const valid = [...cell.valid, ...cell.invalid.filter(isFailing)];
  return { ...cell, valid, invalid: cell.invalid.filter((entry) => !isFailing(entry)) };
}

/**
 * The verdict of a threshold on a candidate whose requests fail.
 * @param failing at least one cell, each of which fails mostly
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
    reason: `the candidate fails${where}: ${reasons[0]}`,
    cells: failing.map(
      ({ factors, valid, invalid, full }, at): GateCell => ({
        ...{ factors, metric: metric.name, threshold: text },
        ...{ baseline: Number.NaN, candidate: Number.NaN, difference: Number.NaN, differencePercent: Number.NaN },
        ...{ interval: [Number.NaN, Number.NaN], pValue: Number.NaN },
        ...{ verdict: 'failed', passed: false, reason: reasons[at] as string, saturated: full.size > 0 },
        repetitions: { candidate: { used: valid.length, invalid: invalid.length, missing: 0 } },
      }),
    ),
  };
}

/** e.g. `94% of its requests ended with an error, mostly http-500:pricing, in 3 of 4 repetitions`. */
function reasonOf({ valid, invalid }: CellRepetitions): string {
  const failing = invalid.filter(isFailing);
  const where = `in ${failing.length} of ${manyText(valid.length + invalid.length)}`;
  const ended = failing.flatMap(({ validity: { why = [] } }) => why.filter(endedByItself));
  const [first] = ended;
  if (first?.kind === 'died' && 2 * ended.length >= failing.length) return `${first.roles[0]}, ${where}`;
  const shares = failing.map(
    ({ outcomes: { completed, refused, error, unfinished } }) => error / (completed + refused + error + unfinished),
  );
  const counts = new Map<string, number>();
  for (const [kind, count] of failing.flatMap(({ errors }) => Object.entries(errors))) {
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const kind = most ? `, ${counts.size > 1 ? 'mostly ' : ''}${most[0]},` : '';
  const share = formatValue(median(shares.filter((value) => !Number.isNaN(value))), 'share');
  return `${share} of its requests ended with an error${kind} ${where}`;
}

/** A note on failing repetitions of cells that also have valid ones, which alone are judged. */
export function failingNotes(candidate: readonly CellRepetitions[]): string[] {
  const some = candidate.filter((cell) => cell.invalid.some(isFailing) && !failsMostly(cell));
  if (some.length === 0) return [];
  const failing = some.reduce((sum, { invalid }) => sum + invalid.filter(isFailing).length, 0);
  const all = some.reduce((sum, { valid, invalid }) => sum + valid.length + invalid.length, 0);
  return [
    `in ${failing} of ${manyText(all)} the candidate failed more requests than the experiment allows; times are judged without them`,
  ];
}
