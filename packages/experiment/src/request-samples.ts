/** What was measured of each request: the generator's clock joined with the gateway's answer and with the request itself. */
import type { GatewayRequest, GatewayResponse } from '@topo-bench/core';
import { errorKinds, gatewayResponse, type LoadResult } from '@topo-bench/loadgen';
import type { Sample } from '@topo-bench/results';

/** @param requestOf the request of an index, as the generator drew it */
export function requestSamples(load: LoadResult, requestOf: (index: number) => GatewayRequest): Sample[] {
  return Array.from(load.samples.index, (index, row) => requestSample(load, row, requestOf(index)));
}

function requestSample(load: LoadResult, row: number, request: GatewayRequest): Sample {
  const { samples } = load;
  const response = gatewayResponse(load, row);
  const outcome = outcomeOf(load, row, response);
  return {
    id: request.id ?? String(row),
    class: request.class,
    intendedUs: samples.intendedUs[row] as number,
    sentUs: known(samples.sentUs[row]),
    doneUs: outcome === 'unfinished' ? null : known(samples.doneUs[row]),
    rttUs: outcome === 'unfinished' ? null : known(samples.rttUs[row]),
    status: samples.status[row] || null,
    outcome,
    rule: (outcome === 'refused' && response?.rule) || null,
    error: outcome === 'error' || response?.pastDeadline ? errorOf(load, row, response) : null,
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
  // The flow had not ended: how long it would have taken is not known. That it was cut is no error of the architecture.
  if (response?.pastDeadline) return 'unfinished';
  return response?.outcome ?? 'error';
}

/** The gateway's own word for it; else how the connection failed, or the status of an answer that says nothing more. */
function errorOf({ samples }: LoadResult, row: number, response: GatewayResponse | undefined): string {
  if (response?.error !== undefined) return response.error;
  const kind = samples.error[row] as number;
  return kind === 0 ? `status-${samples.status[row]}` : (errorKinds[kind] ?? 'other');
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
