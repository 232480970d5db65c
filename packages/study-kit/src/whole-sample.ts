/** A measurement of one interval, such as a whole read, as the sample of one completed request. */
import type { Sample } from '@topo-bench/core';

export function wholeSample(id: string, requestClass: string, durationUs: number): Sample {
  return {
    id,
    class: requestClass,
    intendedUs: 0,
    sentUs: 0,
    doneUs: durationUs,
    rttUs: null,
    status: null,
    outcome: 'completed',
    rule: null,
    error: null,
    hops: null,
    hopsBetweenNodes: null,
    exposureBytes: {},
    steps: [],
  };
}
