/**
 * Each cell against the limit of a relative threshold, all cells at once: step-down max-T over relabelled rounds. What one round did to all of
 * its cells stays together, so a change in one of many cells is shown with about as few rounds as a change in a single one.
 */
import { normalQuantile } from '@topo-bench/core/normal-distribution';
import {
  type CellScores,
  cellScores,
  dividedScores,
  divisions,
  maxTPValues,
  median,
  type Relabellings,
  raise,
  shareReaching,
  signFlips,
  statisticsOf,
} from '@topo-bench/stats';
import { samplesOf } from './cell-samples.ts';
import type { CellPair } from './match-cells.ts';
import { forbidsAbove, type Threshold } from './threshold.ts';

export interface JointTest {
  /** Per cell, one-sided: that the limit is exceeded, by itself and adjusted over all cells. */
  pValue: number;
  adjustedPValue: number;
  /**
   * Logarithm of the smallest excess over the limit that the test finds four times out of five when this cell alone changed and all others
   * stay as they are. +∞: no change of this cell could have been shown.
   */
  detectable: number;
  /** As `detectable`, 19 times out of 20. */
  reliablyDetectable: number;
}

/** Figures of a cell as logarithms, worse ones higher, the limit at 0: a row per round, NaN where there is none. */
interface Rows {
  values: readonly number[];
  /** What `values` would be, had nothing changed. */
  unchanged: readonly number[];
  /** What they would be if the change went so far beyond the limit. */
  shifted(by: number): readonly number[];
  /** Standard error of the change, and its degrees of freedom: none where a side has no figures. */
  error: number;
  freedom: number;
}

/** How the sides of a cell are relabelled. */
interface Design {
  relabellings: Relabellings;
  scores(values: readonly number[]): CellScores;
  rows(pair: CellPair): Rows;
}

/**
 * @param pairs cells that may be judged; either all side by side or none
 * @param alpha chance of any false rejection
 * @returns per pair; undefined where it has no figures on both sides
 */
export function testCells(threshold: Threshold, pairs: readonly CellPair[], alpha: number): (JointTest | undefined)[] {
  const design = pairs.every(({ sideBySide }) => sideBySide) ? byRound(threshold, pairs) : bySide(threshold, pairs);
  const { relabellings } = design;
  const rows = pairs.map(design.rows);
  const used = rows.filter(({ freedom }) => freedom > 0);
  const scores = used.map(({ values }) => design.scores(values));
  const adjusted = maxTPValues(scores, relabellings);
  const detectable = smallestShifts(design, used, alpha);
  return rows.map((one) => {
    const at = used.indexOf(one);
    if (at < 0) return undefined;
    const shift = detectable[at] as number;
    return {
      pValue: maxTPValues([scores[at] as CellScores], relabellings)[0] as number,
      adjustedPValue: adjusted[at] as number,
      detectable: shift + normalQuantile(0.8) * one.error,
      reliablyDetectable: shift + normalQuantile(0.95) * one.error,
    };
  });
}

/** Beyond a thousand times the limit nothing is worth finding. */
const largestShift = Math.log(1000);
const bisections = 8;

/** Per cell: how far beyond the limit it must lie to be rejected, with its own spread, while all other cells are unchanged. */
function smallestShifts({ relabellings, scores }: Design, cells: readonly Rows[], alpha: number): number[] {
  const statistics = cells.map(({ unchanged }) => statisticsOf(scores(unchanged), relabellings));
  return cells.map((cell, at) => {
    const others = new Float64Array(relabellings.length).fill(Number.NEGATIVE_INFINITY);
    statistics.forEach((values, other) => {
      if (other !== at) raise(others, values);
    });
    const isShown = (by: number): boolean => {
      const own = statisticsOf(scores(cell.shifted(by)), relabellings);
      const observed = own[0] as number;
      raise(own, others);
      return shareReaching(own, observed) <= alpha;
    };
    let high = Math.max(1e-6, cell.error);
    while (!isShown(high)) {
      high *= 2;
      if (high > largestShift) return Number.POSITIVE_INFINITY;
    }
    let low = 0;
    for (let step = 0; step < bisections; step++) {
      const middle = (low + high) / 2;
      if (isShown(middle)) high = middle;
      else low = middle;
    }
    return high;
  });
}

function residualsOf(values: readonly number[]): number[] {
  const centre = medianOf(values);
  return values.map((value) => value - centre);
}

/** Sides that took turns: the change within each round, which would as well have the other sign. */
function byRound(threshold: Threshold, pairs: readonly CellPair[]): Design {
  const rounds = roundsOf(pairs, (pair) => {
    const both = new Set(samplesOf(pair.candidate, threshold.metric).samples.map(({ repetition }) => repetition));
    return samplesOf(pair.baseline, threshold.metric).samples.filter(({ repetition }) => both.has(repetition));
  });
  const worse = sign(threshold);
  const limit = worse * Math.log(threshold.limit);
  return {
    relabellings: signFlips(rounds.length),
    scores: cellScores,
    rows: (pair) => {
      const [from, to] = [pair.baseline, pair.candidate].map((cell) => logsByRound(cell, threshold));
      const values = rounds.map((round) => worse * ((to?.get(round) ?? Number.NaN) - (from?.get(round) ?? Number.NaN)) - limit);
      const residuals = residualsOf(values);
      const rows = countOf(values);
      return {
        values,
        unchanged: residuals.map((value) => value - limit),
        shifted: (by) => residuals.map((value) => value + by),
        freedom: rows - 1,
        error: spreadOf(residuals, rows - 1) / Math.sqrt(rows),
      };
    },
  };
}

/** Runs that were measured one after the other: whole repetitions, which would as well be those of the other side. */
function bySide(threshold: Threshold, pairs: readonly CellPair[]): Design {
  const [before, after] = (['baseline', 'candidate'] as const).map((side) =>
    roundsOf(pairs, (pair) => samplesOf(pair[side], threshold.metric).samples),
  ) as [number[], number[]];
  const worse = sign(threshold);
  const limit = worse * Math.log(threshold.limit);
  const logs = (cell: CellPair['baseline'], rounds: readonly number[]): number[] => {
    const byRound = logsByRound(cell, threshold);
    return rounds.map((round) => worse * (byRound.get(round) ?? Number.NaN));
  };
  return {
    relabellings: divisions(before.length, after.length),
    scores: dividedScores,
    rows: ({ baseline, candidate }) => {
      const [from, to] = [logs(baseline, before), logs(candidate, after)];
      const [typical, changed] = [residualsOf(from), residualsOf(to)];
      const [m, n] = [countOf(from), countOf(to)];
      const freedom = m > 0 && n > 0 ? m + n - 2 : 0;
      return {
        values: [...from.map((value) => value + limit), ...to],
        unchanged: [...typical.map((value) => value + limit), ...changed],
        shifted: (by) => [...typical, ...changed.map((value) => value + by)],
        freedom,
        error: spreadOf([...typical, ...changed], freedom) * Math.sqrt(1 / m + 1 / n),
      };
    },
  };
}

function countOf(values: readonly number[]): number {
  return values.filter((value) => !Number.isNaN(value)).length;
}

/** Standard deviation of residuals, with single ones limited as the test limits them. */
function spreadOf(residuals: readonly number[], freedom: number): number {
  return Math.sqrt(cellScores(residuals).reduce((sum, score) => sum + score * score, 0) / freedom);
}

function sign(threshold: Threshold): 1 | -1 {
  return forbidsAbove(threshold) ? 1 : -1;
}

function roundsOf(pairs: readonly CellPair[], samples: (pair: CellPair) => readonly { repetition: number }[]): number[] {
  return [...new Set(pairs.flatMap(samples).map(({ repetition }) => repetition))].sort((a, b) => a - b);
}

function logsByRound(cell: CellPair['baseline'], { metric }: Threshold): Map<number, number> {
  return new Map(samplesOf(cell, metric).samples.map(({ repetition, value }) => [repetition, Math.log(value)]));
}

/** Of the known values; 0 where it is not finite, so that nothing is moved by it. */
function medianOf(values: readonly number[]): number {
  const centre = median(values.filter((value) => !Number.isNaN(value)));
  return Number.isFinite(centre) ? centre : 0;
}
