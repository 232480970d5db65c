/**
 * Figures over the levels of an ordered factor, such as the rate: one line per level of another factor, mostly the
 * architecture, with the knee of the line, its limit, and what one more level costs.
 */
import { type Bottleneck, type Knee, type KneeLevel, kneeOf } from '@topo-bench/comparison';
import {
  commonUnit,
  describeLevel,
  parseArchitectureLevel,
  type QuantityUnit,
  shortFactorName,
} from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { compareByFactors, describeLevels, type Factor, factorsOf, type Level } from '../model/factors.ts';
import type { ReportModel } from '../model/report-model.ts';
import { type Cost, costsOf } from './cost.ts';
import { isLoadOf, levelOf, roundTripTime, type TrendFigure } from './trend-figure.ts';
import { axisValue, borneTimes, pointOf, type TrendCell, type TrendPoint } from './trend-point.ts';

export interface TrendLine {
  /** Level of the factor that distinguishes the lines of a panel; undefined where there is only one line. */
  level: Level | undefined;
  /** The level in words, or the architecture of the only line; may be empty. */
  label: string;
  /** Levels that the line has and others lack, in words: `central-entity with 12 services`. */
  name: string;
  /** In the order of x. */
  points: TrendPoint[];
  /** Median times over repetitions, as the knee is computed from them. */
  kneeLevels: KneeLevel[];
  /** Absent for factors without a knee, and where `kneeOf` finds none. */
  knee: Knee | undefined;
  /** What one more step of the factor costs; empty for a load. */
  costs: Cost[];
}

export interface TrendPanel {
  /** Levels that all its lines share; empty where there is one panel. */
  title: string;
  lines: TrendLine[];
}

export interface Trend {
  figure: TrendFigure;
  factor: Factor;
  unit: QuantityUnit;
  isLoad: boolean;
  /** Factor that distinguishes the lines; undefined where the factor varies alone. */
  lineFactor: Factor | undefined;
  panels: TrendPanel[];
}

/** Not levels of the measured system. */
const notOrdered = ['run', 'seed'];

/** A trend for every ordered factor that varies; empty without one. */
export function trendsOf({ groups }: Pick<ReportModel, 'groups'>, figure: TrendFigure = roundTripTime): Trend[] {
  // Planned cells without a repetition have no point.
  const cells = groups.map((group, index): TrendCell => ({ ...group, index }));
  const counted = withCounts(cells.filter(({ valid, invalid }) => valid.length + invalid.length > 0));
  const factors = factorsOf(counted);
  const ordered = factors.filter(
    ({ name, levels }) => levels.length > 1 && !notOrdered.includes(name) && isOrdered(levels),
  );
  return ordered.map((factor) => trendOver(figure, factor, factors, counted)).filter(({ panels }) => panels.length > 0);
}

/** Levels such as `1s` and `1000ms`, or versions `1` and `1.0`, have no distance. */
function isOrdered(levels: readonly Level[]): boolean {
  return commonUnit(levels) !== undefined && new Set(levels.map(axisValue)).size === levels.length;
}

/** Splits `dynamic-router-1`, `dynamic-router-2` into architecture and number of routers, where that varies. */
function withCounts(groups: readonly TrendCell[]): TrendCell[] {
  const numbers = new Set(groups.flatMap(({ factors }) => parseArchitectureLevel(factors.architecture)?.count ?? []));
  if (numbers.size < 2 || groups.some(({ factors }) => 'routers' in factors)) return [...groups];
  return groups.map((group) => {
    const { architecture, count } = parseArchitectureLevel(group.factors.architecture) ?? {};
    if (architecture === undefined || count === undefined) return group;
    return { ...group, factors: { ...group.factors, architecture, routers: count } };
  });
}

function trendOver(
  figure: TrendFigure,
  given: Factor,
  factors: readonly Factor[],
  groups: readonly TrendCell[],
): Trend {
  const factor = { ...given, levels: given.levels.toSorted((a, b) => axisValue(a) - axisValue(b)) };
  const others = factors.filter(({ name, levels }) => name !== factor.name && levels.length > 1);
  const lineFactor = others.find(({ name }) => name === 'architecture') ?? others[0];
  const shared = others.filter((one) => one !== lineFactor);
  const panels = new Map<string, Map<Level | undefined, TrendCell[]>>();
  for (const group of groups.toSorted((a, b) => compareByFactors(factors)(a.factors, b.factors))) {
    if (group.factors[factor.name] === undefined) continue;
    const title = describeLevels(shared, group.factors);
    const lines = panels.get(title) ?? new Map<Level | undefined, TrendCell[]>();
    panels.set(title, lines);
    const level = lineFactor && group.factors[lineFactor.name];
    lines.set(level, [...(lines.get(level) ?? []), group]);
  }
  const isLoad = isLoadOf(figure, factor.name);
  const found = [...panels].map(
    ([title, lines]): TrendPanel => ({
      title,
      lines: [...lines].flatMap(
        ([level, line]) => lineOf(figure, { factor, lineFactor, level, title, groups: line }) ?? [],
      ),
    }),
  );
  const unit = commonUnit(factor.levels) ?? 'count';
  return { figure, factor, unit, isLoad, lineFactor, panels: found.filter(({ lines }) => lines.length > 0) };
}

interface LineCells {
  factor: Factor;
  lineFactor: Factor | undefined;
  level: Level | undefined;
  title: string;
  groups: readonly TrendCell[];
}

/** Undefined with fewer than two levels that have figures. */
function lineOf(figure: TrendFigure, { factor, lineFactor, level, title, groups }: LineCells): TrendLine | undefined {
  const points = groups.map((group) => pointOf(figure, factor, group)).sort((a, b) => a.x - b.x);
  if (points.filter(({ median }) => median.values.length > 0).length < 2) return undefined;
  const kneeLevels = groups
    .map((group): KneeLevel => {
      const { x, limit } = pointOf(figure, factor, group);
      return { x, values: borneTimes(figure, group), atLimit: isOwnLimit(limit) };
    })
    .sort((a, b) => a.x - b.x);
  const architecture = groups[0]?.factors.architecture;
  const alone = architecture === undefined || factor.name === 'architecture' ? '' : String(architecture);
  const named = lineFactor && level !== undefined ? describeLevel(lineFactor.name, level) : alone;
  const isLoad = isLoadOf(figure, factor.name);
  const expected = expectedGrowth(figure, factor.name);
  return {
    level,
    label: named,
    name: [named, title].filter((text) => text !== '').join(' with '),
    points,
    kneeLevels,
    knee: expected && kneeOf(kneeLevels, { expected }),
    costs: isLoad ? [] : costsOf(figure, points, (groups[0] as TrendCell).factors),
  };
}

/** Other programs that fill the host, and the load generator, are no limit of the system. */
function isOwnLimit({ kind, prediction }: Bottleneck): boolean {
  return prediction !== undefined || kind === 'role' || kind === 'host' || kind === 'cpu-limit';
}

/** Growth that is no sign of a queue. Undefined for factors that have no knee, such as a delay. */
export function expectedGrowth(figure: TrendFigure, name: string): 'constant' | 'proportional' | undefined {
  if (isLoadOf(figure, name)) return 'constant';
  return shortFactorName(name) === 'services' ? 'proportional' : undefined;
}

/** Levels in the words of the factor: `80 req/s`. */
export function levelText({ figure, factor }: Pick<Trend, 'figure' | 'factor'>, x: number): string {
  const level = factor.levels.find((one) => axisValue(one) === x);
  return level === undefined ? String(x) : levelOf(figure, factor.name, level);
}

/** The levels that all cells of a report share, for the start of a sentence. */
export function sharedLevels(groups: readonly { factors: FactorLevels }[]): Factor[] {
  return factorsOf(groups).filter(({ name, levels }) => levels.length === 1 && name !== 'architecture');
}
