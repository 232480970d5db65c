/**
 * Pools all cells of an experiment into one sample per repetition: the mean logarithm of the figure over the cells.
 * Cells of one round share the state of the machine and are not independent samples; their mean is one. A change of all
 * cells shows with far fewer repetitions than in a single cell.
 */
import { median } from '@topo-bench/stats';
import { type CellSamples, type Sample, samplesOf } from './cell-samples.ts';
import type { CellPair } from './match-cells.ts';
import type { Metric } from './metric.ts';

interface PooledLogs {
  /** One for each repetition; +∞ when a cell's figure falls on an unfinished request. */
  baseline: number[];
  candidate: number[];
  /** Number of cells with figures on both sides. */
  cells: number;
}

/**
 * Centres each cell on the median of both its sides, which favours neither. A repetition that lacks a cell stays
 * comparable.
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
 * For side-by-side measurements: mean logarithm of candidate / baseline over the cells, one for each repetition. A mean
 * includes the cells with a figure on both sides. NaN when both figures are unfinished.
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
