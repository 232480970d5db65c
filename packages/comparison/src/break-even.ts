/**
 * Break-even: the level of a factor at which one level of another factor overtakes the reference, such as the rate at
 * which sidecars stop being faster than a central entity. Everything follows from the cells of one run.
 */
import { cellKey, factorNamed, groupedBy, quantityOf, type RunFolder } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type CompareOptions, compareWithin } from './compare.ts';
import type { CellComparison } from './compare-cells.ts';

export interface BreakEvenPoint {
  /** The level as written. */
  level: FactorLevels[string];
  /** The level as a number, in µs or bytes where it has such a unit. */
  x: number;
  cell: CellComparison;
}

export interface Crossing {
  /** The two levels of the run around it. */
  between: readonly [FactorLevels[string], FactorLevels[string]];
  /** Where the curve crosses zero, between two levels on a straight line of the logarithm of the ratio. */
  at: number;
  /** Where the ends of the 95% intervals cross zero; ±∞ where they do not within the levels of the run. */
  band: readonly [low: number, high: number];
  /** The comparison shows a level on either side of it, each in its direction. */
  isShown: boolean;
  /** Whether the level is below the reference before the crossing. */
  lowerBefore: boolean;
}

/** One level against the reference along the factor, in one setting of all other factors. */
export interface BreakEven {
  level: FactorLevels[string];
  reference: FactorLevels[string];
  setting: FactorLevels;
  /** Ascending. */
  points: BreakEvenPoint[];
  crossings: Crossing[];
}

export interface BreakEvenOptions extends CompareOptions {
  /** Factor along which levels overtake each other; its levels are numbers, durations or sizes. */
  along: string;
  /** Factor whose levels are compared. */
  compared: string;
  reference: FactorLevels[string];
}

/**
 * @returns without settings in which fewer than two levels of `along` have figures
 * @throws TopoBenchError as `compareWithin`
 */
export function breakEvens(run: RunFolder, { along, compared, reference, ...options }: BreakEvenOptions): BreakEven[] {
  const { cells } = compareWithin(run, compared, { ...options, reference: String(reference) });
  const groups = new Map<string, { setting: FactorLevels; level: FactorLevels[string]; points: BreakEvenPoint[] }>();
  for (const cell of cells) {
    const name = factorNamed(along, Object.keys(cell.factors)) ?? along;
    const { [name]: at, [compared]: level, ...setting } = cell.factors;
    const x = at === undefined ? undefined : quantityOf(at)?.value;
    if (at === undefined || level === undefined || x === undefined || !hasInterval(cell)) continue;
    const key = `${level} ${cellKey(setting)}`;
    const group = groups.get(key) ?? { setting, level, points: [] };
    group.points.push({ level: at, x, cell });
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ setting, level, points }) => {
    if (points.length < 2) return [];
    points.sort((a, b) => a.x - b.x);
    return [{ level, reference, setting, points, crossings: crossingsOf(points) }];
  });
}

function hasInterval({ differencePercent }: CellComparison): boolean {
  return Number.isFinite(differencePercent);
}

/**
 * Changes of sign between the same two decided points are one change of order, or none where both ends agree: what
 * lies between them is noise.
 */
function crossingsOf(points: readonly BreakEvenPoint[]): Crossing[] {
  const changes = points.slice(1).flatMap((after, index) => {
    const y = logRatio((points[index] as BreakEvenPoint).cell.differencePercent);
    const next = logRatio(after.cell.differencePercent);
    return y === 0 || Math.sign(y) === Math.sign(next) ? [] : [index];
  });
  const groups = groupedBy(changes, (index) => `${decidedBefore(points, index)}-${decidedAfter(points, index + 1)}`);
  return [...groups.values()].flatMap((group): Crossing[] => {
    const [first, last] = [group[0] as number, group.at(-1) as number];
    const [before, after] = [points[first] as BreakEvenPoint, points[last + 1] as BreakEvenPoint];
    const [y, next] = [logRatio(before.cell.differencePercent), logRatio(after.cell.differencePercent)];
    if (Math.sign(y) === Math.sign(next)) return [];
    const lowerBefore = y < 0;
    const verdicts = lowerBefore ? (['faster', 'slower'] as const) : (['slower', 'faster'] as const);
    const [left, right] = [points[decidedBefore(points, first)], points[decidedAfter(points, last + 1)]];
    return [
      {
        between: [before.level, after.level],
        at: zeroBetween(before.x, y, after.x, next),
        band: [bandEnd(points, first, -1, lowerBefore), bandEnd(points, last + 1, 1, !lowerBefore)],
        isShown: left?.cell.verdict === verdicts[0] && right?.cell.verdict === verdicts[1],
        lowerBefore,
      },
    ];
  });
}

/** @returns -1 without one */
function decidedBefore(points: readonly BreakEvenPoint[], from: number): number {
  return points.slice(0, from + 1).findLastIndex(isDecided);
}

/** @returns -1 without one */
function decidedAfter(points: readonly BreakEvenPoint[], from: number): number {
  return points.findIndex((point, index) => index >= from && isDecided(point));
}

function isDecided({ cell: { verdict } }: BreakEvenPoint): boolean {
  return verdict === 'faster' || verdict === 'slower';
}

/**
 * Where the interval leaves zero, going from the crossing in one direction.
 * @param isLower whether the curve is below zero on that side
 */
function bandEnd(points: readonly BreakEvenPoint[], from: number, step: 1 | -1, isLower: boolean): number {
  const endOf = ({ cell: { intervalPercent } }: BreakEvenPoint): number => logRatio(intervalPercent[isLower ? 1 : 0]);
  const isClear = (y: number): boolean => (isLower ? y < 0 : y > 0);
  for (let index = from; index >= 0 && index < points.length; index += step) {
    const point = points[index] as BreakEvenPoint;
    const y = endOf(point);
    if (!isClear(y)) continue;
    const inner = points[index - step] as BreakEvenPoint;
    const innerY = endOf(inner);
    return Number.isFinite(innerY) ? zeroBetween(point.x, y, inner.x, innerY) : point.x;
  }
  return step * Number.POSITIVE_INFINITY;
}

/** A ratio is as far above 1 as its inverse is below. */
function logRatio(percent: number): number {
  return Math.log1p(Math.max(percent, -100) / 100);
}

function zeroBetween(x: number, y: number, nextX: number, nextY: number): number {
  return x + ((nextX - x) * y) / (y - nextY);
}
