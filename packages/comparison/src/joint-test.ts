/**
 * Tests each cell against the limit of a relative threshold, jointly: step-down max-T over relabelled rounds.
 * Relabelling whole rounds preserves the correlation between cells. One changed cell of many therefore needs about as
 * few rounds as a single cell.
 */
import { normalQuantile } from '@topo-bench/core';
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
  /** One-sided p-values of the limit being exceeded: `pValue` for the cell alone, `adjustedPValue` over all cells. */
  pValue: number;
  adjustedPValue: number;
  /**
   * Logarithm of the smallest excess over the limit that the test finds with a power of 80%, if only this cell changed.
   * +∞: no change of this cell could have been shown.
   */
  detectable: number;
  /** As `detectable`, with a power of 95%. */
  reliablyDetectable: number;
}

/**
 * Figures of a cell as logarithms, one for each round. Worse figures are higher, the limit is 0, missing ones are NaN.
 */
interface Rows {
  values: readonly number[];
  /** `values` without the observed change. */
  unchanged: readonly number[];
  /** `values` with a change that exceeds the limit by this much. */
  shifted(by: number): readonly number[];
  /** Standard error of the change and its degrees of freedom; `freedom` is 0 when a side has no figures. */
  error: number;
  freedom: number;
}

/** How baseline and candidate of a cell are relabelled. */
interface Design {
  relabellings: Relabellings;
  scores(values: readonly number[]): CellScores;
  rows(pair: CellPair): Rows;
}

/**
 * @param pairs cells that may be judged; either all side by side or none
 * @param alpha probability of any false rejection
 * @returns one for each pair, in order; undefined for pairs without figures on both sides
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

/** The search for a detectable change ends at a thousand times the limit. */
const maxShift = Math.log(1000);
const bisections = 8;

/** For each cell: min excess over the limit that is rejected, given the cell's spread and all other cells unchanged. */
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
      if (high > maxShift) return Number.POSITIVE_INFINITY;
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

/** Side-by-side measurements: the change within each round. Without an effect its sign is random. */
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
      const values = rounds.map(
        (round) => worse * ((to?.get(round) ?? Number.NaN) - (from?.get(round) ?? Number.NaN)) - limit,
      );
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

/** Runs measured one after the other: whole repetitions. Without an effect their side is random. */
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

/** Standard deviation of the residuals after the test's own limit on outliers. */
function spreadOf(residuals: readonly number[], freedom: number): number {
  return Math.sqrt(cellScores(residuals).reduce((sum, score) => sum + score * score, 0) / freedom);
}

function sign(threshold: Threshold): 1 | -1 {
  return forbidsAbove(threshold) ? 1 : -1;
}

function roundsOf(
  pairs: readonly CellPair[],
  samples: (pair: CellPair) => readonly { repetition: number }[],
): number[] {
  return [...new Set(pairs.flatMap(samples).map(({ repetition }) => repetition))].sort((a, b) => a - b);
}

function logsByRound(cell: CellPair['baseline'], { metric }: Threshold): Map<number, number> {
  return new Map(samplesOf(cell, metric).samples.map(({ repetition, value }) => [repetition, Math.log(value)]));
}

/** Median of the known values; 0 when it is not finite, which leaves residuals unchanged. */
function medianOf(values: readonly number[]): number {
  const centre = median(values.filter((value) => !Number.isNaN(value)));
  return Number.isFinite(centre) ? centre : 0;
}
