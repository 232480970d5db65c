/** The answers of a store to queries, as sums: enough to find a wrong one, and small enough for all of them. */
import type { HeatMapEntry } from '@topo-bench/stores/heat-map';

/** Sums of an answer. Each is exact: below 2^53. */
const answerSums = ['rows', 'cells', 'crossings', 'timesMs', 'weighted'] as const;

/** Pairs of cell and crossings that are swapped between rows change this sum alone. */
const weightModulus = 65_521;

export class Answers {
  /** Answers to each query. */
  readonly counts: Uint8Array;
  /** `answerSums.length` sums for each query, of its last answer. */
  readonly sums: Float64Array;

  constructor(queries: number) {
    this.counts = new Uint8Array(queries);
    this.sums = new Float64Array(queries * answerSums.length);
  }

  add(query: number, entries: readonly HeatMapEntry[]): void {
    let [cells, crossings, timesMs, weighted] = [0, 0, 0, 0];
    for (const entry of entries) {
      cells += entry.cell;
      crossings += entry.crossings;
      timesMs += entry.timeMs;
      weighted += (entry.cell % weightModulus) * (entry.crossings + (entry.timeMs % weightModulus));
    }
    this.counts[query] = (this.counts[query] as number) + 1;
    this.sums.set([entries.length, cells, crossings, timesMs, weighted], query * answerSums.length);
  }
}
