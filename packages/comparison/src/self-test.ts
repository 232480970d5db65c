/**
 * What a side-by-side gate can tell on this machine, from measured pairs of equal sides: how often it alarms falsely,
 * how often it cannot tell, and which change it finds.
 */
import { cellKey, type RunFolder, randomStream, TopoBenchError } from '@topo-bench/core';
import { pairedShift, quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { cellsOf } from './cell-samples.ts';
import { type Change, type DrawnGate, drawGate, resultWith, roundsOf } from './drawn-gates.ts';
import { requireFigures } from './gate.ts';
import { matchRuns } from './match-cells.ts';
import { commonMetrics, type MetricTable } from './metric-table.ts';
import { pooledPairs } from './pooled-ratio.ts';
import type { Threshold } from './threshold.ts';

/** Share of gates that must find a change for it to count as detectable. */
const selfTestPower = 0.9;
/** Fewer valid rounds say too little about the spread. */
export const minSelfTestRounds = 8;
/** Changes beyond it are reported as not detectable. */
const maxShare = 9;
/** Precision of a detectable change, as a ratio. */
const precision = 1.01;

export interface SelfTestOptions {
  /** Relative ones, judged one by one. */
  thresholds: readonly Threshold[];
  /** Max pairs of a gate. */
  maxPairs: number;
  /** Gates drawn for each threshold. Default: 100. */
  gates?: number;
  seed: number;
  metrics?: MetricTable;
}

export interface SelfTestRow {
  threshold: string;
  metric: string;
  /** As in the threshold: candidate / baseline. */
  limit: number;
  gates: number;
  /** Gates of equal sides that failed. */
  falseAlarms: number;
  /** Gates of equal sides that could not tell. */
  undecided: number;
  /** Why most of those could not tell; the figures are those of one of them. */
  undecidedReason?: string;
  /** Pairs that a gate took: the median, and the number that nine of ten gates do not exceed. */
  pairs: { median: number; p90: number };
  /** Smallest change of all cells alike, in %, that nine of ten gates fail. +∞: none up to tenfold. */
  detectablePercent: number;
  /** The same for a change of one cell alone; absent with a single cell. */
  oneCellPercent?: number;
}

export interface SelfTestMetric {
  metric: string;
  /** Difference of the sides over all rounds, in %, with its 95% interval: equal sides should have 0 in it. */
  differencePercent: number;
  intervalPercent: [low: number, high: number];
}

export interface SelfTest {
  /** Rounds measured, and those with a valid pair. */
  rounds: number;
  validRounds: number;
  metrics: SelfTestMetric[];
  rows: SelfTestRow[];
}

/**
 * @param baseline side-by-side partner of `candidate`, of the same build
 * @throws TopoBenchError `TB_GATE_SELF_TEST` with too few valid rounds, `TB_METRIC_UNKNOWN` without figures
 */
export function selfTest(
  baseline: RunFolder,
  candidate: RunFolder,
  { thresholds, maxPairs, gates = 100, seed, metrics = commonMetrics }: SelfTestOptions,
): SelfTest {
  const rounds = roundsOf(baseline, candidate);
  const measured = new Set(candidate.cells.map(({ repetition }) => repetition)).size;
  if (rounds.length < minSelfTestRounds) throw tooFew(candidate, rounds.length, measured);
  requireFigures(candidate, thresholds, metrics);
  const of = { baseline, candidate };
  const rowOf = (threshold: Threshold): SelfTestRow => {
    const drawn = Array.from({ length: gates }, (_, at) =>
      drawGate(rounds, threshold, { of, maxPairs, random: randomStream(seed, 'gate:self-test', at) }),
    );
    return row(threshold, drawn, metrics);
  };
  const names = new Map(thresholds.map(({ metric }) => [metric.name, metric]));
  const { pairs } = matchRuns(cellsOf(baseline), cellsOf(candidate), true);
  return {
    rounds: measured,
    validRounds: rounds.length,
    metrics: [...names.values()].map((metric) => {
      const { estimate, interval } = pairedShift(pooledPairs(pairs, metric), 0.05);
      const [low, high] = interval.map(percentOf) as [number, number];
      return { metric: metric.name, differencePercent: percentOf(estimate), intervalPercent: [low, high] };
    }),
    rows: thresholds.map(rowOf),
  };
}

function row(threshold: Threshold, drawn: readonly DrawnGate[], metrics: MetricTable): SelfTestRow {
  const equal = drawn.map((gate) => resultWith(gate, threshold, { share: 0 }, metrics));
  const undecided = equal.filter(({ verdict }) => verdict === 'cannot tell');
  const pairs = sortedCopy(drawn.map((gate) => gate.pairs));
  const keys = [...new Set(drawn.flatMap(({ candidate }) => candidate.cells.map(({ factors }) => cellKey(factors))))];
  const detectable = (cellOf: (at: number) => Pick<Change, 'cell'>): number =>
    100 *
    smallestFound(drawn, (gate, at, share) => {
      const { verdict } = resultWith(gate, threshold, { ...cellOf(at), share }, metrics);
      return verdict === 'failed';
    });
  return {
    threshold: threshold.text,
    metric: threshold.metric.name,
    limit: threshold.limit,
    gates: drawn.length,
    falseAlarms: equal.filter(({ verdict }) => verdict === 'failed').length,
    undecided: undecided.length,
    ...(undecided[0] && { undecidedReason: commonest(undecided.map(({ reason }) => reason)) }),
    pairs: { median: quantileOfSorted(pairs, 0.5), p90: quantileAt(pairs, 0.9) },
    detectablePercent: detectable(() => ({})),
    ...(keys.length > 1 && { oneCellPercent: detectable((at) => ({ cell: keys[at % keys.length] as string })) }),
  };
}

/** Smallest share that enough of the gates find, by bisection; +∞ beyond `maxShare`. */
function smallestFound(
  drawn: readonly DrawnGate[],
  finds: (gate: DrawnGate, at: number, share: number) => boolean,
): number {
  const allowed = drawn.length - Math.ceil(selfTestPower * drawn.length);
  const isFound = (share: number): boolean => {
    let missed = 0;
    return drawn.every((gate, at) => finds(gate, at, share) || ++missed <= allowed);
  };
  let [low, high] = [1, 1 + maxShare];
  if (!isFound(high - 1)) return Number.POSITIVE_INFINITY;
  while (high / low > precision) {
    const middle = Math.sqrt(low * high);
    if (isFound(middle - 1)) high = middle;
    else low = middle;
  }
  return high - 1;
}

/** The smallest value that at least this share of the values does not exceed. */
function quantileAt(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}

/** Texts that differ in their figures alone count as one. */
function commonest(texts: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const kind = text.replaceAll(/[\d.,]+/g, '#');
    groups.set(kind, [...(groups.get(kind) ?? []), text]);
  }
  const [[first] = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  return first as string;
}

function percentOf(log: number): number {
  return 100 * Math.expm1(log);
}

function tooFew({ cells, folder }: RunFolder, valid: number, measured: number): TopoBenchError {
  const reason = cells.flatMap(({ validity }) => validity.reasons)[0];
  return new TopoBenchError(
    'TB_GATE_SELF_TEST',
    `${folder}: ${valid} of ${measured} pairs are valid, expected ${minSelfTestRounds} or more`,
    {
      hint: `measure for longer, e.g. --max-time 30m${reason === undefined ? '' : `; the first reason: ${reason}`}`,
    },
  );
}
