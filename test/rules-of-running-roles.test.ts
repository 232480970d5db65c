/** Rules of running roles that change over their control routes. */
import { type GatewayRequest, type GatewayResponse, headers, monotonicClock } from '@topo-bench/core';
import { deliveryKeys, planDeployment, ruleChange } from '@topo-bench/deployment';
import { createOracle, createVersionOracle, type RuleVersion } from '@topo-bench/oracle';
import { changeRules } from '@topo-bench/runners';
import type { Graph } from '@topo-bench/topology';
import { afterEach, describe, expect, it } from 'vitest';
import { anyRequest, deploy, type TestDeployment, testGraph } from '../packages/services/test/fixtures/deployment.ts';

/** Size of one load. */
const [requests, changes] = process.env.LONG_SERIES ? [10_000, 50] : [400, 6];
const enforcement = { architecture: 'dynamic-router', routers: 2 } as const;
type Enforcement = NonNullable<Parameters<typeof testGraph>[0]['enforcement']>;

/** Rules that refuse data at one service. */
function refusingAt(service: string, more: Enforcement = {}): Graph {
  return testGraph(
    {
      services: [{ generate: 4 }],
      nodes: [
        { name: 'a', region: 'eu' },
        { name: 'b', region: 'eu' },
      ],
      enforcement: { ...enforcement, ...more },
    },
    {
      rules: [
        {
          ...{ id: `not-to-${service}`, effect: 'deny' },
          when: { fact: 'target', path: '$.service', operator: 'equal', value: service },
        },
      ],
    },
  );
}

let deployment: TestDeployment;
afterEach(() => deployment.close());

function controlToken(): string {
  return deployment.configs[0]?.secrets.controlToken as string;
}

async function ask(role: string, method: 'GET' | 'POST', path: string, body?: unknown, token = controlToken()) {
  return fetch(`${deployment.urls[role]}${path}`, {
    method,
    headers: { [headers.control]: token, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
}

async function change(graph: Graph, version: number): Promise<void> {
  await changeRules(ruleChange(graph, planDeployment(graph), version), async (role, method, path, body) => {
    const answer = await ask(role, method, path, body);
    if (answer.status >= 300) throw new Error(`${role}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  });
}

async function refusedBy(): Promise<[rule: string | undefined, versions: (number | undefined)[]]> {
  const { body } = await deployment.send({ id: crypto.randomUUID() });
  return [body.rule, body.steps.map(({ version }) => version)];
}

describe('rules of running roles', () => {
  const distributions: Enforcement[] = [{}, { distribution: 'stream' }, { distribution: { poll: '30ms' } }];
  const cases = distributions.flatMap((one) => [one, { ...one, consistency: 'versioned' as const }]);
  it.each(cases)('are those of the last confirmed change, by name and version: %j', async (more) => {
    deployment = await deploy(refusingAt('svc-4', more));
    expect(await refusedBy()).toEqual(['not-to-svc-4', [undefined, undefined, undefined, undefined]]);
    await change(refusingAt('svc-2', more), 1);
    expect(await refusedBy()).toEqual(['not-to-svc-2', [1, 1]]);
    await change(refusingAt('svc-1', more), 2);
    expect(await refusedBy()).toEqual(['not-to-svc-1', [2]]);
    // An older change that arrives late is confirmed, and changes nothing.
    if (!more.distribution) await change(refusingAt('svc-3', more), 1);
    expect(await refusedBy()).toEqual(['not-to-svc-1', [2]]);
  });

  it('stay when the new ones cannot be used', async () => {
    deployment = await deploy(refusingAt('svc-2'));
    const bad = refusingAt('svc-1');
    const rules = structuredClone(bad.rules);
    Object.assign(rules.rules[0] as object, { when: { fact: 'target', path: '$..x', operator: 'equal', value: 1 } });
    const answer = await ask('router-1', 'POST', '/control/rules', { version: 1, rules });
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: 'unusable-rules' }]);
    expect((await refusedBy())[0]).toBe('not-to-svc-2');
  });

  it('are fetched by known points alone, and a question of another role delays none behind it', async () => {
    const more = { distribution: 'stream' } as const;
    deployment = await deploy(refusingAt('svc-4', more));
    for (const nobody of ['nobody', 'constructor'])
      expect((await ask('gateway', 'GET', `/control/rules-next/${nobody}@0`)).status).toBe(404);
    const service = ask('gateway', 'GET', '/control/rules-next/svc-1@0');
    // In this order, behind the questions of the routers themselves.
    await ask('gateway', 'GET', '/control/rules/router-1@0');
    const router = ask('gateway', 'GET', '/control/rules-next/router-1@0');
    await ask('gateway', 'GET', '/control/rules/router-1@0');
    await change(refusingAt('svc-2', more), 1);
    expect([(await service).status, (await router).status]).toEqual([404, 200]);
  });

  it('change only with the control token, and only by changes', async () => {
    deployment = await deploy(refusingAt('svc-2'));
    const body = { version: 1, rules: { default: 'allow', conditions: {}, rules: [] } };
    for (const [role, token] of [
      ['router-1', ''],
      ['router-1', deployment.configs[0]?.secrets.token],
      ['gateway', 'x'.repeat(43)],
    ] as const) {
      expect((await ask(role, 'POST', '/control/rules', body, token)).status).toBe(401);
    }
    for (const wrong of [
      {},
      { version: 0 },
      { version: 1.5 },
      { version: 1, rules: 7 },
      { version: 1, parts: { a: 1 } },
    ])
      expect((await ask('router-1', 'POST', '/control/rules', wrong)).status).toBe(400);
    const foreign = await fetch(`${deployment.urls['router-1']}/control/rules`, {
      method: 'POST',
      headers: { [headers.control]: controlToken(), 'content-type': 'application/json', origin: 'http://evil.example' },
      body: JSON.stringify(body),
    });
    expect(foreign.status).toBe(421);
    expect((await ask('svc-1', 'POST', '/control/rules', body)).status).toBe(404);
    expect((await refusedBy())[0]).toBe('not-to-svc-2');
  });

  const architectures: Enforcement[] = [{ architecture: 'central-entity' }, {}, { architecture: 'sidecar' }];
  const loads = architectures.flatMap((one) => [one, { ...one, consistency: 'versioned' as const }]);
  it.each(loads)('are stale for no request after their confirmation, while others are in flight: %j', async (more) => {
    const graphs = ['svc-4', 'svc-2', 'svc-3'].map((service) => refusingAt(service, more));
    deployment = await deploy(graphs[0] as Graph);
    const versions: RuleVersion[] = [];
    const answers: { request: GatewayRequest; answer: GatewayResponse; enteredUs: number; endedUs: number }[] = [];
    let isDone = false;
    const client = async (name: number): Promise<void> => {
      for (let i = 0; !isDone; i++) {
        const request = { ...anyRequest, id: `c${name}-${i}` };
        const enteredUs = monotonicClock.nowUs();
        const { body } = await deployment.send(request);
        answers.push({ request, answer: body, enteredUs, endedUs: monotonicClock.nowUs() });
      }
    };
    const clients = Array.from({ length: 4 }, (_, name) => client(name));
    for (let version = 1; version <= changes; version++) {
      const target = Math.ceil((version * requests) / (changes + 1));
      while (answers.length < target) await new Promise((resolve) => setTimeout(resolve, 2));
      const graph = graphs[version % graphs.length] as Graph;
      const entry: RuleVersion = { graph, askedUs: monotonicClock.nowUs() };
      versions.push(entry);
      await change(graph, version);
      entry.confirmedUs = monotonicClock.nowUs();
    }
    while (answers.length < requests) await new Promise((resolve) => setTimeout(resolve, 2));
    isDone = true;
    await Promise.all(clients);
    const oracle = createVersionOracle(graphs[0] as Graph, versions, deliveryKeys('secret of a test'));
    let torn = 0;
    const seen = new Set<number>();
    for (const { request, answer, ...times } of answers) {
      const verdict = oracle.checkRequest(request, { ...answer, rule: answer.rule ?? null, ...times });
      expect({ ...verdict, torn: 0, staleSinceAsked: [] }).toEqual({
        reasons: [],
        torn: 0,
        stale: [],
        staleSinceAsked: [],
      });
      torn += Number(verdict.torn);
      for (const { version = 0 } of answer.steps) seen.add(version);
    }
    if (more.consistency) expect(torn).toBe(0);
    expect([answers.length >= requests, seen.size]).toEqual([true, changes + 1]);
  });

  it('are waited for by a request that is stamped with them, and refused without them', async () => {
    const more = { consistency: 'versioned' } as const;
    deployment = await deploy(refusingAt('svc-4', more), {
      change: () => ({ deadlines: { hopUs: 300_000, requestUs: 2e6 } }),
    });
    const next = refusingAt('svc-2', more);
    const { ruleIds, parts } = ruleChange(next, planDeployment(next), 1);
    await ask('gateway', 'POST', '/control/rules', { version: 1, ruleIds, stamped: true });
    const late = deployment.send({ id: 'waits' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const [point, rules] of Object.entries(parts))
      await ask(point, 'POST', '/control/rules', { version: 1, rules });
    expect((await late).body).toMatchObject({ outcome: 'refused', rule: 'not-to-svc-2' });
    await ask('gateway', 'POST', '/control/rules', { version: 2, ruleIds, stamped: true });
    const { body, status } = await deployment.send({ id: 'gives-up' });
    expect([status, body.outcome, body.error, body.steps]).toEqual([503, 'error', 'no-rules:router-1', []]);
  });

  it('pass without a decision where enforcement fails open, which the oracle counts with its bytes', async () => {
    const more = { consistency: 'versioned', failOpen: true } as const;
    const graph = refusingAt('svc-2', more);
    deployment = await deploy(graph, { change: () => ({ deadlines: { hopUs: 100_000, requestUs: 2e6 } }) });
    const { ruleIds, parts } = ruleChange(graph, planDeployment(graph), 1);
    await ask('gateway', 'POST', '/control/rules', { version: 1, ruleIds, stamped: true });
    await ask('router-2', 'POST', '/control/rules', { version: 1, rules: parts['router-2'] });
    const request = { ...anyRequest, id: 'open', payload: { card: '4000' }, fieldCategories: { card: 'payment' } };
    const { body } = await deployment.send(request);
    expect([body.outcome, body.steps.map(({ effect, undecided }) => [effect, undecided])]).toEqual([
      'completed',
      [
        ['allow', true],
        ['allow', true],
        ['allow', undefined],
        ['allow', undefined],
      ],
    ]);
    const versions = [{ graph, askedUs: 0, confirmedUs: 1 }];
    const checked = (first: Graph) =>
      createVersionOracle(first, versions, deliveryKeys('secret of a test')).checkRequest(request, {
        ...{ ...body, rule: null, enteredUs: 2, endedUs: 3 },
      });
    expect(checked(graph)).toMatchObject({
      reasons: [],
      torn: false,
      undecided: { steps: 2, exposedBytes: { payment: 4 } },
    });
    const closed = refusingAt('svc-2', { consistency: 'versioned' });
    expect(checked(closed).reasons).toEqual(['2 steps passed without a decision']);
    const sent = { ...body, rule: null };
    const plain = createOracle(graph, deliveryKeys('secret of a test')).checkRequest(request, sent);
    expect(plain).toMatchObject({ wrong: 0, undecided: { steps: 2, exposedBytes: { payment: 4 } } });
  });
});
