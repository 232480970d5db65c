/** The way of clients to their gateway: part of the response time, in none of the other times. */
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { requestSample, summariseSamples } from '@topo-bench/results';
import { graphOf } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { clientLinks } from '../src/client-links.ts';

const request = (origin: string, id = 'r1') => ({
  ...{ id, class: 'c', origin, categories: [], consents: [], purpose: 'contract', payload: {} },
});

function linksOf(
  topology: Partial<TopologyInput> = {},
  { driver = 'open', runner = 'local' }: { driver?: string; runner?: string } = {},
) {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ name: 'a', node: 'n-eu' }] },
    nodes: ['eu', 'us', 'asia'].map((region) => ({ name: `n-${region}`, region })),
    links: [{ from: 'eu', to: 'us', delay: '20ms' }],
    ...topology,
  });
  const settings = { load: { driver }, runner, seed: 1 } as unknown as ExperimentCell['settings'];
  return clientLinks({ graph, settings });
}

describe('the link of a client', () => {
  it('leads both ways to the gateway of its origin', () => {
    const one = linksOf();
    expect(['eu', 'us', 'asia', 'mars'].map((origin) => one(request(origin)))).toEqual([
      undefined,
      40_000,
      undefined,
      undefined,
    ]);
    const perRegion = linksOf({ gateways: 'per region' });
    expect(perRegion(request('us'))).toBeUndefined();
    const elsewhere = linksOf({ gateway: { node: 'n-us' } });
    expect(['eu', 'us'].map((origin) => elsewhere(request(origin)))).toEqual([40_000, undefined]);
    // A link with the node of the gateway takes precedence over that of its region.
    const links = [
      { from: 'us', to: 'n-eu', delay: '7ms' },
      { from: 'eu', to: 'us', delay: '20ms' },
    ];
    expect(linksOf({ links })(request('us'))).toBe(14_000);
  });

  it('has a jitter of its own each way, the same for the same request', () => {
    const linkUs = linksOf({ links: [{ from: 'eu', to: 'us', delay: '20ms', jitter: '5ms' }] });
    const times = Array.from({ length: 200 }, (_, i) => linkUs(request('us', `r${i}`)) as number);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...times)).toBeLessThan(50_000);
    expect(new Set(times).size).toBe(200);
    // Equal draws for both ways would reach the ends of the range far more often.
    expect(times.filter((us) => Math.abs(us - 40_000) > 7500).length).toBeLessThan(35);
    expect(linkUs(request('us', 'r7'))).toBe(times[7]);
  });

  it('is none for clients of the closed model, and where the network is real', () => {
    expect(linksOf({}, { driver: 'autocannon' })(request('us'))).toBeUndefined();
    expect(linksOf({}, { runner: 'kubernetes' })(request('us'))).toBeUndefined();
  });

  it('is part of the response time alone', () => {
    const seen = { intendedUs: 0, sentUs: 10, doneUs: 5000, rttUs: 4000, status: 200, failure: null };
    const response = { outcome: 'completed', hops: 1, hopsBetweenNodes: 0, exposureBytes: {}, steps: [] } as never;
    const sample = requestSample({ ...seen, clientLinkUs: 40_000 }, response, request('us'), 0);
    const { rtt, responseTime, schedulerLag } = summariseSamples([sample]);
    expect([rtt, responseTime, schedulerLag].map(({ medianUs }) => medianUs)).toEqual([4000, 45_000, 10]);
  });
});
