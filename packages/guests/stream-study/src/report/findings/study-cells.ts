/** The cells of a run in the terms of the published study, and the pairs of cells that its claims compare. */

import type { StreamEntry } from '../../parts.ts';
import type { StreamCell } from '../stream-cells.ts';

export interface StudyCell {
  cell: StreamCell;
  /** Protocol of the database. */
  database: string;
  job: string;
  hasWindows: boolean;
  hasGrid: boolean;
  /** Levels of all factors that the study does not have. */
  rest: string;
}

/** Factors that claims compare, and sizes, which differ between jobs. */
const compared = ['database', 'job', 'windows', 'grid', 'points', 'entries', 'queries'];

export function studyCells(cells: readonly StreamCell[]): StudyCell[] {
  return cells.map((cell) => {
    const { group, levels, database, windows } = cell;
    const entries: readonly StreamEntry[] = [...group.valid, ...group.invalid];
    const options = entries.find(({ stream }) => stream)?.stream?.options;
    return {
      cell,
      database,
      job: String(levels.job ?? options?.job ?? 'generate'),
      hasWindows: windows !== 'none',
      hasGrid: (levels.grid ?? options?.grid ?? 'none') !== 'none',
      rest: JSON.stringify(Object.entries(levels).filter(([name]) => !compared.includes(name))),
    };
  });
}

/** Figures by repetition. */
export type Figure = (cell: StreamCell) => ReadonlyMap<number, number>;

export type Pair = readonly [larger: StreamCell, smaller: StreamCell];

/** Pairs of cells of the two kinds that are equal in everything that `differs` does not name. */
export function pairsOf(
  larger: readonly StudyCell[],
  smaller: readonly StudyCell[],
  ...differs: ('database' | 'job' | 'hasWindows' | 'hasGrid')[]
): Pair[] {
  const keyOf = (one: StudyCell): string => {
    const fixed = (['database', 'job', 'hasWindows', 'hasGrid'] as const).filter((name) => !differs.includes(name));
    const { windows, points, unit } = one.cell;
    const length = differs.includes('hasWindows') ? '' : windows;
    const size = differs.includes('job') ? '' : `${points} ${unit}`;
    return JSON.stringify([...fixed.map((name) => one[name]), length, size, one.rest]);
  };
  return larger.flatMap((one) =>
    smaller.filter((other) => keyOf(other) === keyOf(one)).map((other) => [one.cell, other.cell] as const),
  );
}

/**
 * For each repetition, the mean logarithm over the pairs of the ratio of their figures. Pairs without figures are left
 * out, and so are repetitions that a pair lacks.
 */
export function effectsOf(pairs: readonly Pair[], figure: Figure): number[] {
  const known = pairs.map((pair) => pair.map(figure)).filter((pair) => pair.every(({ size }) => size > 0));
  const rounds = [...(known[0]?.[0]?.keys() ?? [])];
  return rounds.flatMap((round) => {
    const logs = known.map(([one, other]) =>
      Math.log((one?.get(round) ?? Number.NaN) / (other?.get(round) ?? Number.NaN)),
    );
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    return Number.isFinite(mean) ? [mean] : [];
  });
}
