import type { GatewayRequest, GatewayResponse } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { type ClientView, requestSample } from '../src/request-sample.ts';

const request: GatewayRequest = {
  ...{ id: 'one', class: 'order', origin: 'eu', categories: [], consents: [], purpose: '', payload: {} },
};
const seen: ClientView = { intendedUs: 0, sentUs: 1, doneUs: 9, rttUs: 7, status: 200, failure: null };
const response: GatewayResponse = {
  ...{ id: 'one', outcome: 'completed', rttUs: 7, hops: 4, hopsBetweenNodes: 2, exposureBytes: { personal: 3 } },
  ...{ steps: [{ service: 'a', effect: 'allow' }], delivered: { services: [], copies: [] } },
};
const of = (client: Partial<ClientView>, answer?: GatewayResponse) =>
  requestSample({ ...seen, ...client }, answer, request, 5);

describe('the sample of a request', () => {
  it('has the times of its client and the facts of the answer', () => {
    const { failure: _, ...times } = seen;
    const { hops, hopsBetweenNodes, exposureBytes, steps, delivered } = response;
    expect(of({}, response)).toEqual({
      ...{ id: 'one', class: 'order', origin: 'eu', ...times, outcome: 'completed', rule: null, error: null },
      ...{ hops, hopsBetweenNodes, exposureBytes, steps, delivered },
    });
    expect(requestSample(seen, response, { ...request, id: undefined as never }, 5).id).toBe('5');
  });

  it('is unfinished without an answer and past the deadline, and has then no time', () => {
    expect(of({ doneUs: null, rttUs: null, status: null })).toMatchObject({ outcome: 'unfinished', error: null });
    const late: GatewayResponse = { ...response, outcome: 'error', error: 'deadline:a', pastDeadline: true };
    expect(of({ status: 504 }, late)).toMatchObject({ outcome: 'unfinished', error: 'deadline:a', doneUs: null });
  });

  it('is an error by the gateway, by its client, or by its status', () => {
    const named: GatewayResponse = { ...response, outcome: 'error', error: 'unreachable:a' };
    expect([of({ status: 503 }, named), of({ failure: 'timeout' }), of({ status: 502 })]).toMatchObject([
      { outcome: 'error', error: 'unreachable:a' },
      { outcome: 'error', error: 'timeout' },
      { outcome: 'error', error: 'http-502' },
    ]);
  });
});
