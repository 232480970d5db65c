/** A replication with pauses: the same figures, and an end when its caller wants no more. */
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import { deliveryKeys } from '@topo-bench/deployment';
import { planDeployment } from '@topo-bench/deployment/plan-deployment';
import { graphOf } from '@topo-bench/topology';
import { scheduleUs } from '@topo-bench/workload';
import { expect, it } from 'vitest';
import { SimulatedDeployment } from '../../src/index.ts';
import { freeModel, hostWith } from '../fixtures/free-model.ts';

const graph = graphOf({
  ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't' },
  services: [{ generate: 4, work: '3ms' }],
});
const plan = planDeployment(graph);
const deployment = await SimulatedDeployment.of(graph, plan, { seed: 1 });
const load = { rateRps: 1000, durationUs: 10e6, seed: 1, repetition: 1 };
const request = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: {} };
const setup = {
  ...{ model: freeModel, cluster: hostWith(2, graph.nodes.length), servedBefore: 2000 },
  ...{ scheduleUs: scheduleUs({ ...load, arrivals: 'poisson', urls: [''] }), repetition: 1 },
  ...{ durationUs: load.durationUs, drainUs: 60e6, requestOf: (index: number) => ({ ...request, id: String(index) }) },
};

it.each([false, true])('has the figures of one without pauses; live: %s', async (live) => {
  let pauses = 0;
  const paused = await deployment.replicateWith({ ...setup, live }, async () => void pauses++);
  const whole = deployment.replicate({ ...setup, live });
  expect(pauses).toBeGreaterThan(0);
  expect(paused.events).toBe(whole.events);
  expect([...paused.requests.doneUs]).toEqual([...whole.requests.doneUs]);
  const hashing = keyedHashing(deliveryKeys('t'));
  expect(paused.answerTo(17, hashing)).toEqual(whole.answerTo(17, hashing));
});

it('ends at a pause that rejects', async () => {
  let pauses = 0;
  const replication = deployment.replicateWith(setup, async () => {
    if (++pauses === 1) throw new Error('interrupted');
  });
  await expect(replication).rejects.toThrow('interrupted');
  expect(pauses).toBe(1);
});
