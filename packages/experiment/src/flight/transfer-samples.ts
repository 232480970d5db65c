/** A stream of a transfer as a sample: when it began and ended, and why it did not. */
import type { LoadResult } from '@topo-bench/loadgen';
import type { Sample } from '@topo-bench/results';

export function transferSamples({ samples, transferred }: LoadResult, operation: string): Sample[] {
  return Array.from(samples.index, (stream, row) => {
    const error = transferred?.streams.find((record) => record.stream === stream)?.error?.kind ?? null;
    return {
      id: String(stream),
      class: operation,
      intendedUs: samples.intendedUs[row] as number,
      sentUs: samples.sentUs[row] as number,
      doneUs: error === null ? (samples.doneUs[row] as number) : null,
      rttUs: null,
      status: samples.status[row] || null,
      outcome: error === null ? 'completed' : 'error',
      rule: null,
      error,
      hops: null,
      hopsBetweenNodes: null,
      exposureBytes: {},
      steps: [],
    };
  });
}
