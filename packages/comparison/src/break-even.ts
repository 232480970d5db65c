/**
 * Break-even: the level of a factor at which one level of another factor overtakes the reference, such as the rate at
 * which sidecars stop being faster than a central entity. Everything follows from the cells of one run.
 */
import { cellKey, quantityOf, type RunFolder } from '@topo-bench/core';
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
    const { [along]: at, [compared]: level, ...setting } = cell.factors;
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

function crossingsOf(points: readonly BreakEvenPoint[]): Crossing[] {
  return points.slice(1).flatMap((after, index): Crossing[] => {
    const before = points[index] as BreakEvenPoint;
    const [y, next] = [logRatio(before.cell.differencePercent), logRatio(after.cell.differencePercent)];
    if (y === 0 || Math.sign(y) === Math.sign(next)) return [];
    const lowerBefore = y < 0;
    const verdicts = lowerBefore ? (['faster', 'slower'] as const) : (['slower', 'faster'] as const);
    return [
      {
        between: [before.level, after.level],
        at: zeroBetween(before.x, y, after.x, next),
        band: [bandEnd(points, index, -1, lowerBefore), bandEnd(points, index + 1, 1, !lowerBefore)],
        isShown:
          points.slice(0, index + 1).some(({ cell }) => cell.verdict === verdicts[0]) &&
          points.slice(index + 1).some(({ cell }) => cell.verdict === verdicts[1]),
        lowerBefore,
      },
    ];
  });
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
