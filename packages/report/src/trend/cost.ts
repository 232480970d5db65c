/** What one more step of a factor costs: slopes of figures over its levels, with intervals. */
import { architectureTable, parseArchitectureLevel } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { pairedSlope, smallestRejectingN, trendSlope } from '@topo-bench/stats';
import type { TrendFigure } from './trend-figure.ts';
import type { TrendPoint } from './trend-point.ts';

export interface Cost {
  /** After the amount: `of CPU at central-entity`, `of median round-trip time`. */
  what: string;
  /** The cost is in time of a request, not in CPU. */
  isTime: boolean;
  /** In µs, for the smallest step between two levels of the factor. */
  us: number;
  interval: [low: number, high: number];
  /** The step, in the unit of the factor. */
  step: number;
}

const confidenceLoss = 0.05;

/** @param factors levels of any cell of the line */
export function costsOf(figure: TrendFigure, points: readonly TrendPoint[], factors: FactorLevels): Cost[] {
  const step = Math.min(...points.slice(1).map(({ x }, at) => x - (points[at] as TrendPoint).x));
  const cost = (what: string, isTime: boolean, read: (cell: Cell) => number | undefined): Cost[] => {
    const rounds = roundsOf(points, read);
    const levels = points
      .map(({ x, valid }) => ({
        x,
        values: valid.map((cell) => read(cell) ?? Number.NaN).filter((us) => !Number.isNaN(us)),
      }))
      .filter(({ values }) => values.length > 0);
    if (levels.length < 2) return [];
    // Levels of one round share the state of the machine. With too few rounds, pairs have no interval.
    const isPaired = rounds.length >= smallestRejectingN(confidenceLoss, { paired: true });
    const { estimate, interval } = isPaired ? pairedSlope(rounds, confidenceLoss) : trendSlope(levels, confidenceLoss);
    // Too many of the requests did not finish.
    if (!Number.isFinite(estimate)) return [];
    return [{ what, isTime, us: step * estimate, interval: [step * interval[0], step * interval[1]], step }];
  };
  const place = enforcementPlace(factors);
  return [
    ...(place === undefined ? [] : cost(`of CPU at ${place} per request`, false, enforcementCpuUs)),
    ...cost(`of median ${figure.name}`, true, (cell) => figure.of(cell).medianUs),
  ];
}

/** The figures of the levels by x, of each round that has two levels or more. */
function roundsOf(points: readonly TrendPoint[], read: (cell: Cell) => number | undefined): Map<number, number>[] {
  const rounds = new Map<number, Map<number, number>>();
  for (const { x, valid } of points) {
    for (const cell of valid) {
      const us = read(cell) ?? Number.NaN;
      if (Number.isNaN(us)) continue;
      const round = rounds.get(cell.repetition) ?? new Map<number, number>();
      rounds.set(cell.repetition, round.set(x, us));
    }
  }
  return [...rounds.values()].filter(({ size }) => size > 1);
}

/** Undefined where nothing is enforced. */
function enforcementPlace({ architecture }: FactorLevels): string | undefined {
  const parsed = parseArchitectureLevel(architecture);
  return parsed && architectureTable[parsed.architecture].points;
}

/** CPU time of all enforcement points; undefined where none has a figure. */
function enforcementCpuUs({ cpuUsPerRequest }: Cell): number | undefined {
  const points = Object.entries(cpuUsPerRequest).filter(
    ([role]) => !['gateway', 'service', 'total', 'store'].includes(role),
  );
  return points.length === 0 ? undefined : points.reduce((sum, [, us]) => sum + us, 0);
}
