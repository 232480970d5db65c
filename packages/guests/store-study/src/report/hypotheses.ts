/**
 * The three hypotheses of the study, tested with the data of a run. The study specifies no test. Here each hypothesis
 * is a set of claims "this store beats that one". Each claim is tested over the repetitions, paired by round.
 *
 * Each repetition yields one number per claim. For H1 and H2 it is the mean over the levels of load of the logarithm of
 * the ratio. For H3 it is the difference of spreads. The exact one-sided signed-rank test checks whether it is above 0.
 *
 * A hypothesis is supported if all its claims are (an intersection–union test, which needs no correction). It is not
 * supported if the reverse of any claim is shown, at α divided by their number. Otherwise it is undecided, as always
 * with fewer than five repetitions.
 */
import { counted } from '@topo-bench/core';
import { pairedRankBiserial, signedRank } from '@topo-bench/stats';
import { levelsOf, type StudyCell, type StudyMetric } from './study-cells.ts';

const alpha = 0.05;
/** One-sided, 2^-n is the smallest p-value of n repetitions. */
const repetitionsNeeded = Math.ceil(-Math.log2(alpha));

export type StudyVerdict = 'supported' | 'not supported' | 'undecided';

export interface Claim {
  /** E.g. `sql-indexed has lower p95 than document`. */
  text: string;
  /** One per repetition; a value above 0 supports the claim. */
  effects: number[];
  /** One-sided; NaN without data. */
  pValue: number;
  /** Rank-biserial correlation, −1…1; 1 if every repetition supports the claim. */
  effectSize: number;
  /** In words: a ratio of means, or a ratio of spreads. */
  size: string;
}

export interface Hypothesis {
  id: 'H1' | 'H2' | 'H3';
  statement: string;
  published: string;
  claims: Claim[];
  verdict: StudyVerdict;
  reason: string;
}

const indexed = 'sql-indexed';
const unindexed = 'sql-unindexed';
const document = 'document';

export function judgeHypotheses(cells: readonly StudyCell[]): Hypothesis[] {
  const write = 'write-heavy';
  return [
    judged(
      'H1',
      'Under read-heavy load indexed SQL answers faster (p95) than unindexed SQL and the document store.',
      'supported',
      [faster(cells, 'read-heavy', indexed, unindexed), faster(cells, 'read-heavy', indexed, document)],
    ),
    judged(
      'H2',
      'Under write-heavy load the document store has higher throughput and lower p95 than both SQL configurations.',
      'supported',
      [indexed, unindexed].flatMap((sql) => [
        better(cells, write, document, sql, 'throughputRps', 1),
        faster(cells, write, document, sql),
      ]),
    ),
    judged(
      'H3',
      'The document store is the most stable over workloads as load grows: all four metrics spread least.',
      'partly supported',
      [indexed, unindexed].flatMap((sql) =>
        (['p95Ms', 'throughputRps', 'cpuPercent', 'ramMb'] as const).map((metric) =>
          steadier(cells, document, sql, metric),
        ),
      ),
    ),
  ];
}

/** Hypotheses with a claim for which there are no data, in one sentence; empty if there are none. */
export function untestedSentence(cells: readonly StudyCell[], hypotheses: readonly Hypothesis[]): string[] {
  const untested = hypotheses.filter((one) => !isTested(one)).map(({ id }) => id);
  if (untested.length === 0) return [];
  const lacking = [indexed, unindexed, document].filter((store) => !levelsOf(cells, 'store').includes(store));
  const why =
    lacking.length === 0 ? 'a workload or a valid repetition is missing' : `no data for ${lacking.join(', ')}`;
  return [`Hypotheses of the study that were not tested: ${untested.join(', ')} (${why}).`];
}

/** Whether every claim has data. */
export function isTested({ claims }: Hypothesis): boolean {
  return claims.every(({ effects }) => effects.length > 0);
}

function judged(id: Hypothesis['id'], statement: string, published: string, claims: Claim[]): Hypothesis {
  const fewest = Math.min(...claims.map(({ effects }) => effects.length));
  const base = { id, statement, published, claims };
  if (fewest === 0) {
    const missing = claims.filter(({ effects }) => effects.length === 0).map(({ text }) => text);
    return { ...base, verdict: 'undecided', reason: `no data for: ${missing.join('; ')}` };
  }
  const reversed = claims.filter(({ effects }) => reverseP(effects) < alpha / claims.length);
  if (reversed.length > 0) {
    return {
      ...base,
      verdict: 'not supported',
      reason: `the reverse is shown: ${reversed.map(({ text }) => text).join('; ')}`,
    };
  }
  const open = claims.filter(({ pValue }) => !(pValue < alpha));
  if (open.length === 0) return { ...base, verdict: 'supported', reason: `every claim has p < ${alpha}` };
  const reason =
    fewest < repetitionsNeeded
      ? `${counted(fewest, 'repetition')} of ${repetitionsNeeded} that could show anything`
      : `not shown: ${open.map(({ text }) => text).join('; ')}`;
  return { ...base, verdict: 'undecided', reason };
}

function faster(cells: readonly StudyCell[], workload: string, winner: string, loser: string): Claim {
  return better(cells, workload, winner, loser, 'p95Ms', -1);
}

/** @param direction 1 if higher is better, −1 if lower is better */
function better(
  cells: readonly StudyCell[],
  workload: string,
  winner: string,
  loser: string,
  metric: StudyMetric,
  direction: 1 | -1,
): Claim {
  const ofWorkload = cells.filter((cell) => cell.workload === workload);
  const loads = levelsOf(ofWorkload, 'load');
  const effects = repetitionsOf(ofWorkload).flatMap((repetition) => {
    const value = (store: string, load: number): number =>
      ofWorkload.find((cell) => cell.store === store && cell.load === load && cell.repetition === repetition)?.[
        metric
      ] ?? Number.NaN;
    const logs = loads.map((load) => direction * Math.log(value(winner, load) / value(loser, load)));
    return finite(mean(logs));
  });
  const name = metric === 'p95Ms' ? 'lower p95' : 'higher throughput';
  const ratio = Math.exp(direction * mean(effects));
  return claim(
    `${winner} has ${name} than ${loser}`,
    effects,
    `${metric === 'p95Ms' ? 'p95' : 'throughput'} × ${ratio.toFixed(2)}`,
  );
}

/**
 * Spread: standard deviation of the logarithm over workloads and levels of load. It does not depend on the unit and
 * size of a metric.
 */
function steadier(cells: readonly StudyCell[], winner: string, loser: string, metric: StudyMetric): Claim {
  const spreadOf = (store: string, repetition: number): number => {
    const own = cells.filter((cell) => cell.store === store && cell.repetition === repetition);
    return own.length < conditionsOf(cells) ? Number.NaN : deviation(own.map((cell) => Math.log(cell[metric])));
  };
  const spreads = repetitionsOf(cells).map(
    (repetition) => [spreadOf(winner, repetition), spreadOf(loser, repetition)] as const,
  );
  const effects = spreads.flatMap(([own, other]) => finite(other - own));
  const names: Record<StudyMetric, string> = {
    p95Ms: 'p95',
    throughputRps: 'throughput',
    cpuPercent: 'CPU',
    ramMb: 'RAM',
  };
  const known = spreads.filter(([own, other]) => Number.isFinite(other - own));
  const size = `spread ${mean(known.map(([own]) => own)).toFixed(2)} against ${mean(known.map(([, other]) => other)).toFixed(2)}`;
  return claim(`${names[metric]} of ${winner} spreads less than of ${loser}`, effects, size);
}

function claim(text: string, effects: number[], size: string): Claim {
  if (effects.length === 0) return { text, effects, pValue: Number.NaN, effectSize: Number.NaN, size: '–' };
  return {
    text,
    effects,
    pValue: signedRank(effects, 'greater').pValue,
    effectSize: pairedRankBiserial(effects),
    size,
  };
}

function reverseP(effects: readonly number[]): number {
  return signedRank(effects, 'less').pValue;
}

function repetitionsOf(cells: readonly StudyCell[]): number[] {
  return [...new Set(cells.map(({ repetition }) => repetition))].sort((a, b) => a - b);
}

/** Workloads × levels of load. */
function conditionsOf(cells: readonly StudyCell[]): number {
  return levelsOf(cells, 'workload').length * levelsOf(cells, 'load').length;
}

function finite(value: number): number[] {
  return Number.isFinite(value) ? [value] : [];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return values.length < 2
    ? Number.NaN
    : Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}
