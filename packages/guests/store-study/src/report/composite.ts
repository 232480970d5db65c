/**
 * One score for a store under a workload, from the four metrics. The study does not specify normalisation or weights.
 * Here each metric is scaled within its workload from 0 (worst store) to 1 (best store), with equal weights.
 */
import { averageOver, levelsOf, type StudyCell, studyMetrics } from './study-cells.ts';

export const compositeMethod =
  'Each metric (mean over the levels of load) is scaled within its workload from 0 for the worst store to 1 for the best, linearly; the score is the mean of the four. It ranks the stores of this run and means nothing outside it.';

export interface CompositeScore {
  store: string;
  workload: string;
  /** 0…1; NaN with fewer than two stores, or where a metric is missing. */
  score: number;
}

export function compositeScores(cells: readonly StudyCell[]): CompositeScore[] {
  const stores = levelsOf(cells, 'store');
  return levelsOf(cells, 'workload').flatMap((workload) => {
    const scaled = studyMetrics.map(({ key, better }) => {
      const values = stores.map((store) => averageOver(cells, store, workload, key));
      return scaledValues(values, better);
    });
    return stores.map((store, at) => {
      const parts = scaled.map((values) => values[at] as number);
      return { store, workload, score: parts.reduce((sum, value) => sum + value, 0) / parts.length };
    });
  });
}

function scaledValues(values: readonly number[], better: 'lower' | 'higher'): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // All equal, or only one store: no store is worst or best.
  if (!(high > low)) return values.map((value) => (values.length > 1 && !Number.isNaN(value) ? 0.5 : Number.NaN));
  return values.map((value) => (better === 'lower' ? high - value : value - low) / (high - low));
}
