/** All repetitions of one cell, and its figures: medians over the valid repetitions. Each repetition is one sample. */
import { isEnforced } from '@topo-bench/core';
import type { Cell, FactorLevels, Summary } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';

export interface CellGroup {
  factors: FactorLevels;
  /** In the order measured. */
  valid: Cell[];
  invalid: Cell[];
  /** Number of repetitions in the experiment. */
  planned: number;
  /** Undefined without a valid repetition. */
  figures: CellFigures | undefined;
}

/** Median of each figure over the valid repetitions; counts are sums. */
export interface CellFigures {
  rtt: Summary;
  rttRefused: Summary;
  responseTime: Summary;
  /** Smallest and largest median RTT of a repetition, in µs. */
  medianRangeUs: [number, number];
  offeredRps: number;
  achievedRps: number;
  hopsPerRequest: number;
  hopsBetweenNodesPerRequest: number;
  /** By role, and `total`. */
  cpuUsPerRequest: Record<string, number>;
  decisions: Cell['decisions'];
  outcomes: Cell['outcomes'];
  errors: Record<string, number>;
  exposureBytes: Record<string, number>;
  /** Number of valid repetitions with each flag. */
  flags: Record<string, number>;
}

export function figuresOf(valid: readonly Cell[]): CellFigures | undefined {
  if (valid.length === 0) return undefined;
  const medians = valid.map(({ rtt }) => rtt.medianUs).filter((value) => !Number.isNaN(value));
  return {
    rtt: medianSummary(valid.map(({ rtt }) => rtt)),
    rttRefused: medianSummary(valid.map(({ rttRefused }) => rttRefused)),
    responseTime: medianSummary(valid.map(({ responseTime }) => responseTime)),
    medianRangeUs: medians.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...medians), Math.max(...medians)],
    offeredRps: median(valid.map(({ offeredRps }) => offeredRps)),
    achievedRps: median(valid.map(({ achievedRps }) => achievedRps)),
    hopsPerRequest: median(valid.map(({ hops }) => hops.perRequest)),
    hopsBetweenNodesPerRequest: median(valid.map(({ hops }) => hops.betweenNodesPerRequest)),
    cpuUsPerRequest: mediansByKey(valid.map(({ cpuUsPerRequest }) => cpuUsPerRequest)),
    decisions: sumDecisions(valid.map(({ decisions }) => decisions)),
    outcomes: sumOutcomes(valid.map(({ outcomes }) => outcomes)),
    errors: sumByKey(valid.map(({ errors }) => errors)),
    exposureBytes: sumByKey(valid.map(({ exposureBytes }) => exposureBytes)),
    flags: countFlags(valid),
  };
}

/** Whether any cell has a valid repetition. */
export function hasFigures({ groups }: { groups: readonly CellGroup[] }): boolean {
  return groups.some(({ figures }) => figures !== undefined);
}

/** Indices of the cells with figures, for tables that omit the other cells. */
export function measuredCells(groups: readonly CellGroup[]): number[] {
  return groups.flatMap(({ figures }, at) => (figures ? [at] : []));
}

/** Indices of the cells with these levels, whatever their other levels. */
export function cellsWith(groups: readonly Pick<CellGroup, 'factors'>[], levels: FactorLevels): number[] {
  return groups.flatMap(({ factors }, at) =>
    Object.entries(levels).every(([name, level]) => factors[name] === level) ? [at] : [],
  );
}

/** Whether any cell has unfinished requests. Tables then count them next to mean and deviation. */
export function hasUnfinished({ groups }: { groups: readonly CellGroup[] }): boolean {
  return groups.some(({ figures }) => (figures?.outcomes.unfinished ?? 0) > 0);
}

/** Exposed bytes over all categories. NaN under `none`: no data is refused, so exposure is undefined. */
export function exposedBytes({
  factors,
  exposureBytes,
}: {
  factors: FactorLevels;
  exposureBytes: Record<string, number>;
}): number {
  if (!isEnforced(factors.architecture)) return Number.NaN;
  return Object.values(exposureBytes).reduce((sum, bytes) => sum + bytes, 0);
}

/** Sums of records, key by key. */
export function sumByKey(records: readonly Record<string, number>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const record of records) {
    for (const [key, value] of Object.entries(record)) sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return Object.fromEntries(sums);
}

export function sumDecisions(decisions: readonly Cell['decisions'][]): Cell['decisions'] {
  const sum = (of: (one: Cell['decisions']) => number): number => decisions.reduce((total, one) => total + of(one), 0);
  return {
    allow: sum(({ allow }) => allow),
    deny: sum(({ deny }) => deny),
    redact: sum(({ redact }) => redact),
    reroute: sum(({ reroute }) => reroute),
    wrong: sum(({ wrong }) => wrong),
    byRule: sumByKey(decisions.map(({ byRule }) => byRule)),
  };
}

export function sumOutcomes(outcomes: readonly Cell['outcomes'][]): Cell['outcomes'] {
  const sum = (of: (one: Cell['outcomes']) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  return {
    completed: sum(({ completed }) => completed),
    refused: sum(({ refused }) => refused),
    error: sum(({ error }) => error),
    unfinished: sum(({ unfinished }) => unfinished),
  };
}

function medianSummary(summaries: readonly Summary[]): Summary {
  const of = (key: keyof Summary): number => medianOfKnown(summaries.map((summary) => summary[key]));
  return {
    count: summaries.reduce((total, { count }) => total + count, 0),
    minUs: of('minUs'),
    q1Us: of('q1Us'),
    medianUs: of('medianUs'),
    q3Us: of('q3Us'),
    p95Us: of('p95Us'),
    p99Us: of('p99Us'),
    p999Us: of('p999Us'),
    maxUs: of('maxUs'),
    meanUs: of('meanUs'),
    stdUs: of('stdUs'),
  };
}

/** Ignores repetitions without the figure, such as those without a completed request; NaN if all lack it. */
function medianOfKnown(values: readonly number[]): number {
  return median(values.filter((value) => !Number.isNaN(value)));
}

function mediansByKey(records: readonly Record<string, number>[]): Record<string, number> {
  const keys = new Set(records.flatMap((record) => Object.keys(record)));
  const known = (key: string): number[] => records.map((record) => record[key]).filter((value) => value !== undefined);
  return Object.fromEntries([...keys].map((key) => [key, median(known(key))]));
}

function countFlags(valid: readonly Cell[]): Record<string, number> {
  return sumByKey(valid.map(({ validity }) => Object.fromEntries(validity.flags.map((flag) => [flag, 1]))));
}
