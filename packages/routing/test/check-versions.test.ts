import type { GatewayRequest, Sample, StepRecord } from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import { planDeployment, ruleChange } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology';
import { expect, it } from 'vitest';
import { type CheckedChange, checkVersions } from '../src/check-versions.ts';

const request: GatewayRequest = {
  ...{ class: 'order', origin: 'eu', categories: ['payment'], consents: [], purpose: 'contract' },
  ...{ payload: { card: '4000' }, fieldCategories: { card: 'payment' } },
};
const graphWith = (...refused: string[]) =>
  graphOf(
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ generate: 2 }] },
      nodes: [{ name: 'n', region: 'eu' }],
      enforcement: { architecture: 'sidecar' },
    },
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r' },
      rules: refused.map((service) => ({
        ...{ id: `no-${service}`, effect: 'deny' as const },
        when: { fact: 'target' as const, path: '$.service', operator: 'equal', value: service },
      })),
    },
  );
const changeAt = (version: number, requestedUs: number, effectiveUs: number, ...refused: string[]): CheckedChange => {
  const graph = graphWith(...refused);
  const begin = { atUs: requestedUs, requestedUs, effectiveUs };
  const record = { name: 'rules', kind: 'rules' as const, roles: [], begin };
  return { graph, change: ruleChange(graph, planDeployment(graph), version), record };
};
const allowed = (version?: number): StepRecord[] =>
  ['svc-1', 'svc-2'].map((service) => ({ service, effect: 'allow', ...(version && { version }) }));
const keys = { pseudonymKey: 'a', digestKey: 'b' };
const copies = [deliveredDigests(request.payload, keys.digestKey)];
const deliveredTo = ({ service }: StepRecord) => ({ service, copy: 0 });
let count = 0;
const sample = (sentUs: number, steps: StepRecord[], outcome: Sample['outcome'] = 'completed'): Sample => ({
  ...{ id: `r${count++}`, class: 'order', intendedUs: sentUs, sentUs, doneUs: sentUs + 10, rttUs: 5, status: 200 },
  ...{ outcome, rule: null, error: null, hops: 1, hopsBetweenNodes: 0, exposureBytes: {}, steps },
  delivered: { copies, services: steps.filter(({ effect }) => effect === 'allow').map(deliveredTo) },
});

it('a repetition has its stale and torn requests, their bytes, and the times of each change', async () => {
  const refused: StepRecord[] = [
    { service: 'svc-1', effect: 'allow', version: 1 },
    { service: 'svc-2', effect: 'deny', rule: 'no-svc-2', version: 1 },
  ];
  const samples = [
    sample(0, allowed()),
    sample(1100, allowed()),
    sample(1200, refused, 'refused'),
    sample(2500, allowed()),
    sample(4100, [{ service: 'svc-1', effect: 'allow', version: 1 }, allowed(2)[1] as StepRecord]),
    sample(6000, allowed(2)),
    sample(6100, allowed(1)),
  ];
  const changes = [changeAt(1, 1000, 2000, 'svc-2'), changeAt(2, 4000, 5000)];
  const check = await checkVersions(graphWith(), changes, samples.slice(0, -1), () => request, keys);
  expect([check.wrong, check.examples]).toEqual([0, []]);
  const { staleness } = check;
  expect(staleness.versions.map(({ confirmedAfterUs, lastUs }) => [confirmedAfterUs, lastUs])).toEqual([
    [1000, 1500],
    [1000, 100],
  ]);
  expect(staleness.points).toEqual([
    { name: 'svc-1-sidecar', sinceUs: [0, 1200, 6000] },
    { name: 'svc-2-sidecar', sinceUs: [0, 1200, 4100] },
  ]);
  expect(staleness.sinceConfirmed).toMatchObject({
    ...{ requests: 1, decisions: 2, letThrough: 1, refused: 0, lastUs: 500, t50Us: 500 },
    exposedBytes: { payment: 4 },
  });
  expect(staleness.sinceAsked).toMatchObject({ requests: 3, decisions: 5, letThrough: 2, lastUs: 1500 });
  expect([staleness.torn, check.torn.size, check.stale.size]).toEqual([1, 1, 1]);
  // By the rules that it names, the last request had to be refused.
  const wrong = await checkVersions(graphWith(), changes, samples, () => request, keys);
  expect([wrong.wrong, wrong.examples]).toEqual([
    // Its decision, outcome, and the payload that svc-2 received.
    3,
    [`${samples.at(-1)?.id}: svc-2: allow by the default effect, expected svc-2: deny by no-svc-2`],
  ]);
});

it('the versions of a point are those of its own decisions, and none is earlier than its change', async () => {
  const routed = graphOf(
    {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ generate: 2 }] },
      nodes: [
        { name: 'a', region: 'eu' },
        { name: 'b', region: 'eu' },
      ],
      enforcement: { architecture: 'dynamic-router', routers: 2, resilience: { takeover: true } },
    },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', rules: [] },
  );
  const { executorOf, takeover } = planDeployment(routed);
  const [down, own] = executorOf as [string, string];
  expect(takeover).toEqual({ [down]: own, [own]: down });
  const begin = { atUs: 1000, requestedUs: 1000, effectiveUs: 2000 };
  const change: CheckedChange = {
    ...{ graph: routed, change: ruleChange(routed, planDeployment(routed), 1) },
    record: { name: 'rules', kind: 'rules', roles: [], begin },
  };
  const [first, second] = allowed(1) as [StepRecord, StepRecord];
  const samples = [sample(100, allowed()), sample(900, [{ ...first, takenOver: true }, second])];
  const { staleness } = await checkVersions(routed, [change], samples, () => request, keys);
  expect(staleness.points).toEqual([
    { name: down, sinceUs: [100, null] },
    { name: own, sinceUs: [100, 1000] },
  ]);
});
