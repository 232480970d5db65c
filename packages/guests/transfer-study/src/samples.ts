/** A stream of a transfer as a sample: its begin, its end, or its error. */
import type { Sample } from '@topo-bench/core';
import { type LoadResult, sampleOfRow } from '@topo-bench/loadgen';

export function transferSamples({ samples, transferred }: LoadResult, operation: string): Sample[] {
  return Array.from(samples.index, (stream, row) => {
    const error = transferred?.streams.find((record) => record.stream === stream)?.error?.kind ?? null;
    const sample = sampleOfRow(samples, row);
    return {
      ...sample,
      class: operation,
      doneUs: error === null ? sample.doneUs : null,
      rttUs: null,
      outcome: error === null ? 'completed' : 'error',
      error,
    };
  });
}
