/** The samples of a load: the rows of its generators, with the answers of the gateway. */
import type { GatewayRequest, Sample } from '@topo-bench/core';
import { failureKind, gatewayResponse, type LoadResult, sampleOfRow } from '@topo-bench/loadgen';
import { requestSample } from '@topo-bench/results';

/** @param requestOf the request of an index, as the generator drew it */
export function requestSamples(load: LoadResult, requestOf: (index: number) => GatewayRequest): Sample[] {
  const { samples } = load;
  return Array.from(samples.index, (index, row) => {
    const { intendedUs, sentUs, doneUs, rttUs, status } = sampleOfRow(samples, row);
    const failure = samples.error[row] === 0 ? null : failureKind(samples, row);
    const client = { intendedUs, sentUs, doneUs, rttUs, status, failure };
    return requestSample(client, gatewayResponse(load, row), requestOf(index), row);
  });
}
