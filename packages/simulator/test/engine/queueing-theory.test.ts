/**
 * The engine against closed formulas. A service with work and nothing else is a queue with one server; its RTT is the
 * time in that queue. The interval of the replications holds the formula.
 */
import type { FlowItem } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { Replication } from '../../src/index.ts';
import { replicationsOf } from '../fixtures/replications.ts';

const meanUs = 1000;
const replications = 10;

/** Flow of services with that law of work, without enforcement. */
function queues(flow: FlowItem[], work: object) {
  const services = (flow.flat(9) as string[]).map((name) => ({ name, work: { mean: `${meanUs}us`, ...work } }));
  return graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'queues', nodes: [{ name: 'a', region: 'eu' }] },
    ...{ services, flow, enforcement: { architecture: 'none' } },
    deadlines: { hop: '600s', request: '600s' },
  });
}

function meanRttUs({ requests }: Replication): number {
  const sum = requests.endedUs.reduce((total, endedUs, i) => total + endedUs - (requests.openedUs[i] as number), 0);
  return sum / requests.count;
}

/** Expects the mean RTT in the interval of the replications: t quantile 0.9995 of 9 degrees of freedom. */
async function expectMean(graph: ReturnType<typeof queues>, utilisation: number, expectedUs: number): Promise<void> {
  const { replicate } = await replicationsOf(graph, { rateRps: (utilisation * 1e6) / meanUs, seconds: 6 });
  const means = Array.from({ length: replications }, (_, i) => {
    const replication = replicate(i + 1);
    expectLittle(replication);
    return meanRttUs(replication);
  });
  const mean = means.reduce((sum, value) => sum + value, 0) / replications;
  const variance = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (replications - 1);
  const half = 4.781 * Math.sqrt(variance / replications);
  expect(Math.abs(mean - expectedUs), `${mean} ± ${half} µs, expected ${expectedUs}`).toBeLessThan(half);
  // An interval that holds anything would show nothing.
  expect(half / expectedUs).toBeLessThan(0.25);
}

/** Little's law: requests in flight over time are the times of all requests. */
function expectLittle({ requests }: Replication): void {
  const sum = requests.doneUs.reduce((total, doneUs, i) => total + doneUs - (requests.sentUs[i] as number), 0);
  expect(requests.inFlightUs / sum).toBeCloseTo(1, 9);
}

describe('the time in queues is that of queueing theory', () => {
  it('M/M/1', () => expectMean(queues(['s0'], { law: 'exponential' }), 0.6, meanUs / 0.4));

  it('M/D/1: Pollaczek–Khinchine', () =>
    expectMean(queues(['s0'], { law: 'constant' }), 0.7, meanUs * (1 + 0.7 / (2 * 0.3))));

  it('M/G/1 with lognormal work: Pollaczek–Khinchine', () => {
    const sigma = 0.8;
    const squareOfVariation = Math.exp(sigma ** 2) - 1;
    const waitUs = (meanUs * 0.6 * (1 + squareOfVariation)) / (2 * 0.4);
    return expectMean(queues(['s0'], { law: 'lognormal', sigma }), 0.6, meanUs + waitUs);
  });

  it('a tandem of three M/M/1: Jackson', () =>
    expectMean(queues(['s0', 's1', 's2'], { law: 'exponential' }), 0.6, (3 * meanUs) / 0.4));

  it('fork and join of two M/M/1: Flatto and Hahn', () =>
    expectMean(queues([['s0', 's1']], { law: 'exponential' }), 0.6, (((12 - 0.6) / 8) * meanUs) / 0.4));

  it('fork and join of four lies between its slowest branch and independent branches', async () => {
    const { replicate } = await replicationsOf(queues([['s0', 's1', 's2', 's3']], { law: 'exponential' }), {
      rateRps: 600,
      seconds: 30,
    });
    const us = meanRttUs(replicate(1));
    // Work of the slowest of four, without queues; and the slowest of four independent times of M/M/1.
    const slowest = 1 + 1 / 2 + 1 / 3 + 1 / 4;
    expect(us).toBeGreaterThan(slowest * meanUs);
    expect(us).toBeLessThan((slowest * meanUs) / 0.4);
  });

  it('a law that is wrong is found', async () => {
    const wrong = expectMean(queues(['s0'], { law: 'constant' }), 0.6, meanUs / 0.4);
    await expect(wrong).rejects.toThrow('expected');
  });
});
