/** A row of a load as a sample: times and status as the client sees them. Studies add the data of the answers. */
import type { Sample } from '@topo-bench/core';
import { failureKind } from './error-kind.ts';
import { outcomeOf, type Samples } from './samples.ts';

export function sampleOfRow(samples: Samples, row: number): Sample {
  const outcome = outcomeOf(samples, row);
  return {
    id: String(samples.index[row]),
    class: '',
    intendedUs: samples.intendedUs[row] as number,
    sentUs: known(samples.sentUs[row]),
    doneUs: known(samples.doneUs[row]),
    rttUs: known(samples.rttUs[row]),
    status: samples.status[row] || null,
    outcome,
    rule: null,
    error: outcome === 'error' ? failureKind(samples, row) : null,
    hops: null,
    hopsBetweenNodes: null,
    exposureBytes: {},
    steps: [],
  };
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
