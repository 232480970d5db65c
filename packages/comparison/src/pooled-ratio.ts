/**
 * All cells of an experiment as one sample per repetition: the mean, over the cells, of the logarithm of the figure. Cells of one round share
 * the machine's mood, so they are no independent samples; their mean is one. What a gate asks first, since it sees a change that is
 * everywhere with far fewer repetitions than any single cell.
 */
import { median } from '@topo-bench/stats';
import { type CellSamples, type Sample, samplesOf } from './cell-samples.ts';
import type { CellPair } from './match-cells.ts';
import type { Metric } from './metric.ts';

interface PooledLogs {
  /** One per repetition in which all pooled cells have a figure; +∞ where one fell on an unfinished request. */
  baseline: number[];
  candidate: number[];
  /** Cells that take part. */
  cells: number;
}

/**
 * Each cell is centred on the median of both its sides, which neither side gains from, so that a repetition without one of the cells still
 * can be compared with the others.
 */
export function pooledLogs(pairs: readonly CellPair[], metric: Metric): PooledLogs {
  const centred = pairs.flatMap((pair) => {
    const [baseline, candidate] = [samplesOf(pair.baseline, metric), samplesOf(pair.candidate, metric)];
    const all = [...baseline.samples, ...candidate.samples].map(({ value }) => value);
    const centre = Math.log(median(all.filter(Number.isFinite)));
    const usable = baseline.samples.length > 0 && candidate.samples.length > 0 && Number.isFinite(centre);
    return usable ? [{ baseline: centredLogs(baseline, centre), candidate: centredLogs(candidate, centre) }] : [];
  });
  return {
    baseline: meansByRepetition(centred.map(({ baseline }) => baseline)),
    candidate: meansByRepetition(centred.map(({ candidate }) => candidate)),
    cells: centred.length,
  };
}

/**
 * Of cells that were measured side by side: per repetition the mean, over the cells, of the logarithm of candidate / baseline. A repetition counts
 * with the cells that have a figure on both sides. NaN where both figures are unfinished.
 */
export function pooledPairs(pairs: readonly CellPair[], metric: Metric): number[] {
  const differences = pairs.map(({ baseline, candidate }) => {
    const from = new Map(samplesOf(baseline, metric).samples.map(({ repetition, value }) => [repetition, value]));
    return samplesOf(candidate, metric).samples.flatMap(({ repetition, value }): Sample[] => {
      const before = from.get(repetition);
      return before === undefined ? [] : [{ repetition, value: Math.log(value) - Math.log(before) }];
    });
  });
  return meansByRepetition(differences);
}

function centredLogs({ samples }: CellSamples, centre: number): Sample[] {
  return samples.map(({ repetition, value }) => ({ repetition, value: Math.log(value) - centre }));
}

function meansByRepetition(cells: readonly (readonly Sample[])[]): number[] {
  const byRepetition = new Map<number, number[]>();
  for (const { repetition, value } of cells.flat())
    byRepetition.set(repetition, [...(byRepetition.get(repetition) ?? []), value]);
  return [...byRepetition.values()].map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
}
