/** The model of lost requests next to deployments in memory, under the same drawn crashes of all roles. */
import type { GatewayRequest } from '@topo-bench/core';
import type { EventRecord } from '@topo-bench/core/schema/result';
import { type Downtime, expectedLoss, planDeployment } from '@topo-bench/deployment';
import type { MemoryFault } from '@topo-bench/flow/memory';
import { graphOf } from '@topo-bench/topology';
import { crashTimesUs } from '@topo-bench/workload/crash-times';
import { expect, it } from 'vitest';
import { memoryOf } from '../../flow/test/fixtures/memory.ts';
import { kindsOf, withExpectedLoss } from '../src/crash-model.ts';

const ms = 1000;
const rateRps = 40;
const durationUs = 20e6;
const downUs = 400 * ms;
const repetitions = 10;
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const request = (id: number): GatewayRequest => ({
  ...{ id: String(id), class: id % 3 === 0 ? 'short' : 'whole', origin: 'eu', categories: [], consents: [] },
  ...{ purpose: 'contract', payload: {} },
});

/** A third of the requests is refused at the third service. */
function graphWith(architecture: string, style: string) {
  return graphOf(
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'm' },
      nodes: ['n1', 'n2', 'n3'].map((name) => ({ name, region: 'eu' })),
      services: names.map((name) => ({ name, work: '20ms' })),
      enforcement: { architecture, style, routers: 3 } as never,
      deadlines: { hop: '1s', request: '3s' },
    },
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r' },
      rules: [
        {
          ...{ id: 'no-short', effect: 'deny' },
          when: {
            all: [
              { fact: 'target', path: '$.service', operator: 'equal', value: 'c' },
              { fact: 'request', path: '$.class', operator: 'equal', value: 'short' },
            ],
          },
        },
      ],
    },
  );
}

it.each([
  ['none', 'forward'],
  ['central-entity', 'forward'],
  ['dynamic-router', 'forward'],
  ['sidecar', 'forward'],
  ['sidecar', 'nested'],
] as const)('%s, %s: the model expects as many unserved requests as there are', async (architecture, style) => {
  const graph = graphWith(architecture, style);
  const plan = planDeployment(graph);
  let measured = 0;
  const differences: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const downtimes = plan.roles.flatMap(({ name: role }): Downtime[] =>
      crashTimesUs({ law: 'exponential', meanUs: 15e6, downUs }, role, { seed: 7, repetition, durationUs }).map(
        (fromUs) => ({ role, fromUs, toUs: fromUs + downUs }),
      ),
    );
    const faults = downtimes.map(({ role, fromUs: atUs }): MemoryFault => {
      return { kind: 'crash', atUs, roles: [role], restartUs: downUs };
    });
    const memory = await memoryOf(graph, { faults });
    // Evenly spaced arrivals with a random begin have the expected number in any interval, with less variance.
    const offsetUs = (repetition / repetitions) * (1e6 / rateRps);
    const requests = Array.from({ length: (durationUs / 1e6) * rateRps }, (_, i) => request(i));
    const answers = await memory.sendAll(
      requests.map((one, i) => ({ request: one, atUs: offsetUs + (i * 1e6) / rateRps })),
    );
    const unserved = answers.filter(
      (answer) => typeof answer === 'string' || !/^(completed|refused)$/.test(answer.response.outcome),
    ).length;
    const kinds = kindsOf({ graph, plan }, requests);
    const load = { rateRps, durationUs, style: graph.enforcement.style, kinds };
    const expected = expectedLoss(downtimes, load).reduce((sum, one) => sum + one, 0);
    measured += unserved;
    differences.push(unserved - expected);
  }
  expect(measured).toBeGreaterThan(500);
  const sum = differences.reduce((total, one) => total + one, 0);
  const variance = differences.reduce((total, one) => total + (one - sum / repetitions) ** 2, 0) / (repetitions - 1);
  const standardError = Math.sqrt(repetitions * variance);
  expect(Math.abs(sum)).toBeLessThan(3.5 * standardError);
  // The interval must be narrow enough to tell a wrong model.
  expect(standardError).toBeLessThan(0.02 * measured);
});

/** What the model expects of a crash of one role for a second, at 100 req/s. */
function expectedOf(role: string, enforcement: object, origins: readonly string[] = ['eu']): number | undefined {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'm' },
    nodes: ['eu', 'us'].map((region) => ({ name: region, region })),
    ...{ gateways: 'per region', services: [{ name: 'a', node: 'eu' }], enforcement: enforcement as never },
  });
  const at = (us: number) => ({ atUs: us, requestedUs: us, effectiveUs: us });
  const record: EventRecord = { name: 'c', kind: 'crash', roles: [role], begin: at(1e6), end: at(2e6) };
  const requests = origins.map((origin, id) => ({ ...request(id), origin }));
  const cell = { graph, plan: planDeployment(graph) };
  return withExpectedLoss([record], cell, { rateRps: 100, durationUs: 10e6 }, requests)[0]?.expected;
}

it('expects nothing where callers have another replica or try again', () => {
  const central = { architecture: 'central-entity' };
  expect(expectedOf('central-entity', central)).toBeCloseTo(100, 1);
  expect(expectedOf('central-entity', { ...central, replicas: 2 })).toBeUndefined();
  expect(expectedOf('central-entity', { ...central, resilience: { retries: 1 } })).toBeUndefined();
  expect(expectedOf('central-entity', { ...central, resilience: { breaker: {} } })).toBeUndefined();
  expect(expectedOf('central-entity', { ...central, resilience: { retries: 0 } })).toBeCloseTo(100, 1);
  // Sidecars have no replicas, whatever the file asks for.
  expect(expectedOf('a-sidecar', { architecture: 'sidecar', replicas: 2 })).toBeCloseTo(100, 1);
});

it('has at each gateway the requests that enter there', () => {
  const origins = ['eu', 'us', 'us', 'us'];
  expect(expectedOf('gateway', { architecture: 'sidecar' }, origins)).toBeCloseTo(25, 1);
  expect(expectedOf('gateway-us', { architecture: 'sidecar' }, origins)).toBeCloseTo(75, 1);
});
