/** The sample of each request: times of the generator, the answer of the gateway, and the request itself. */
import type { GatewayRequest, GatewayResponse, Sample } from '@topo-bench/core';
import { failureKind, gatewayResponse, type LoadResult, sampleOfRow } from '@topo-bench/loadgen';

/** @param requestOf the request of an index, as the generator drew it */
export function requestSamples(load: LoadResult, requestOf: (index: number) => GatewayRequest): Sample[] {
  return Array.from(load.samples.index, (index, row) => requestSample(load, row, requestOf(index)));
}

function requestSample(load: LoadResult, row: number, request: GatewayRequest): Sample {
  const response = gatewayResponse(load, row);
  const outcome = outcomeOf(load, row, response);
  return {
    ...sampleOfRow(load.samples, row),
    id: request.id ?? String(row),
    class: request.class,
    ...(outcome === 'unfinished' && { doneUs: null, rttUs: null }),
    outcome,
    rule: (outcome === 'refused' && response?.rule) || null,
    error: outcome === 'error' || response?.pastDeadline ? (response?.error ?? failureKind(load.samples, row)) : null,
    hops: response?.hops ?? null,
    hopsBetweenNodes: response?.hopsBetweenNodes ?? null,
    exposureBytes: response?.exposureBytes ?? {},
    steps: response?.steps ?? [],
    delivered: response?.delivered ?? { services: [], copies: [] },
  };
}

function outcomeOf({ samples }: LoadResult, row: number, response: GatewayResponse | undefined): Sample['outcome'] {
  if (samples.error[row] !== 0) return 'error';
  if (Number.isNaN(samples.doneUs[row])) return 'unfinished';
  // The flow had not ended, so its time is unknown. The cut-off is not an error of the architecture.
  if (response?.pastDeadline) return 'unfinished';
  return response?.outcome ?? 'error';
}
