/** The samples of a load: the rows of its generators, with the answers of the gateway. */
import type { GatewayRequest, Sample } from '@topo-bench/core';
import { failureKind, gatewayResponse, type LoadResult, sampleOfRow } from '@topo-bench/loadgen';
import { requestSample } from '@topo-bench/results';

/**
 * @param requestOf the request of an index, as the generator drew it
 * @param linkUs as of `clientLinks`
 */
export function requestSamples(
  load: LoadResult,
  requestOf: (index: number) => GatewayRequest,
  linkUs: (request: GatewayRequest) => number | undefined = () => undefined,
): Sample[] {
  const { samples } = load;
  return Array.from(samples.index, (index, row) => {
    const { intendedUs, sentUs, doneUs, rttUs, status } = sampleOfRow(samples, row);
    const failure = samples.error[row] === 0 ? null : failureKind(samples, row);
    const request = requestOf(index);
    const clientLinkUs = linkUs(request);
    const times = { intendedUs, sentUs, doneUs, rttUs, ...(clientLinkUs !== undefined && { clientLinkUs }) };
    return requestSample({ ...times, status, failure }, gatewayResponse(load, row), request, row);
  });
}
