/** The sample of a request to a gateway: what its client saw, the answer of the gateway, and the request itself. */
import type { GatewayRequest, GatewayResponse, Sample } from '@topo-bench/core';

/** A request as its client saw it, measured or simulated. */
export interface ClientView
  extends Pick<Sample, 'intendedUs' | 'sentUs' | 'doneUs' | 'rttUs' | 'status' | 'clientLinkUs'> {
  /** Kind of the failure at the client; null if an answer came or is still due. */
  failure: string | null;
}

/**
 * @param response undefined when no answer came, or not from a gateway
 * @param row of the request, which is its id if it has none
 */
export function requestSample(
  { failure, ...seen }: ClientView,
  response: GatewayResponse | undefined,
  request: GatewayRequest,
  row: number,
): Sample {
  const outcome = outcomeOf(failure, seen, response);
  return {
    id: request.id ?? String(row),
    class: request.class,
    origin: request.origin,
    ...seen,
    ...(outcome === 'unfinished' && { doneUs: null, rttUs: null }),
    outcome,
    rule: (outcome === 'refused' && response?.rule) || null,
    error:
      outcome === 'error' || response?.pastDeadline ? (response?.error ?? failure ?? `http-${seen.status ?? 0}`) : null,
    hops: response?.hops ?? null,
    hopsBetweenNodes: response?.hopsBetweenNodes ?? null,
    exposureBytes: response?.exposureBytes ?? {},
    steps: response?.steps ?? [],
    delivered: response?.delivered ?? { services: [], copies: [] },
  };
}

function outcomeOf(
  failure: string | null,
  { doneUs }: Pick<Sample, 'doneUs'>,
  response: GatewayResponse | undefined,
): Sample['outcome'] {
  if (failure !== null) return 'error';
  if (doneUs === null) return 'unfinished';
  // The flow had not ended, so its time is unknown. The cut-off is not an error of the architecture.
  if (response?.pastDeadline) return 'unfinished';
  return response?.outcome ?? 'error';
}
