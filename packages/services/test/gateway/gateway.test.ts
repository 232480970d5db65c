import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { headers } from '@topo-bench/core';
import type { FlowMessage, Outcome } from '@topo-bench/flow';
import { afterEach, describe, expect, it } from 'vitest';
import {
  anyRequest,
  type DeployOptions,
  deploy,
  type TestDeployment,
  type TopologyParts,
  testGraph,
} from '../fixtures/deployment.ts';

let closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});
async function started(topology: Partial<TopologyParts> = {}, options: DeployOptions = {}): Promise<TestDeployment> {
  const deployment = await deploy(testGraph({ framework: 'node', services: [{ generate: 1 }], ...topology }), options);
  closing.push(() => deployment.close());
  return deployment;
}

/** A role that acknowledges flows and then does what the test passes. */
async function executor(): Promise<{ url: string; messages: FlowMessage[] }> {
  const messages: FlowMessage[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.url === '/flow') messages.push(JSON.parse(text) as FlowMessage);
    response.writeHead(request.url === '/flow' ? 202 : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, messages };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
const post = (url: string, body: unknown, extra: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...extra }, body: JSON.stringify(body) });
const tokenOf = ({ configs }: TestDeployment, role: string): string =>
  configs.find(({ name }) => name === role)?.secrets.token ?? '';

describe('an invalid request', () => {
  it('is refused with all its problems', async () => {
    const { gatewayUrl } = await started();
    const { class: _, ...rest } = anyRequest;
    const response = await post(`${gatewayUrl}/requests`, {
      ...rest,
      id: 'a b',
      origin: 7,
      consents: 'all',
      payload: [],
      fieldCategories: { a: 1 },
      extra: 1,
    });
    const body = (await response.json()) as { error: string; problems: string[] };
    expect([response.status, body.error]).toEqual([400, 'bad-request']);
    expect(body.problems.map((problem) => problem.split(':')[0])).toEqual([
      'id',
      'class',
      'origin',
      'consents',
      'payload',
      'fieldCategories',
      'extra',
    ]);
  });

  it.each([null, [], 'text', 7])('is refused when it is %j', async (value) => {
    const { gatewayUrl } = await started();
    expect((await post(`${gatewayUrl}/requests`, value)).status).toBe(400);
  });

  it('is refused when its payload is too deeply nested to serialise', async () => {
    const { gatewayUrl, send } = await started();
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const body = JSON.stringify({ ...anyRequest, payload: { deep: 'HERE' } }).replace('"HERE"', deep);
    const response = await fetch(`${gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    expect((await send()).status).toBe(200);
  });

  it('is refused when it is larger than 1 MiB, and accepted just below', async () => {
    const { send } = await started();
    expect((await send({ payload: { big: 'x'.repeat(1024 * 1024) } })).status).toBe(413);
    expect((await send({ payload: { big: '"'.repeat(500_000) } })).status).toBe(200);
  });
});

describe('the gateway', () => {
  it('takes the purpose of a topology that states none', async () => {
    const { gatewayUrl, send } = await started();
    const { purpose: _, ...rest } = anyRequest;
    expect((await post(`${gatewayUrl}/requests`, rest)).status).toBe(200);
    expect((await send({ purpose: 7 as never })).status).toBe(400);
  });

  it('assigns an id to a request without one', async () => {
    const { send } = await started();
    const ids = [(await send()).body.id, (await send()).body.id];
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses an id that is in flight, and accepts it again afterwards', async () => {
    const { url, messages } = await executor();
    const deployment = await started(
      { enforcement: { architecture: 'central-entity' } },
      { standIns: { 'central-entity': url } },
    );
    const first = deployment.send({ id: 'same' });
    await until(() => messages.length > 0);
    expect((await deployment.send({ id: 'same' })).status).toBe(409);
    const report = async (): Promise<Response> => {
      const outcome: Outcome = { state: (messages.at(-1) as FlowMessage).state, verdict: { kind: 'completed' } };
      return post(`${deployment.gatewayUrl}/report`, outcome, { [headers.token]: tokenOf(deployment, 'gateway') });
    };
    await report();
    expect((await first).status).toBe(200);
    // A report again, and one of a request that never was.
    await report();
    expect((await deployment.stats('gateway')).ignoredReports).toBe(1);
    const second = deployment.send({ id: 'same' });
    await until(() => messages.length > 1);
    await report();
    expect((await second).status).toBe(200);
  });

  it('refuses requests beyond its in-flight cap at once', async () => {
    const { url, messages } = await executor();
    const deployment = await started(
      { enforcement: { architecture: 'central-entity' }, deadlines: { request: '3s' } },
      { standIns: { 'central-entity': url }, change: () => ({ inFlightCap: 3 }) },
    );
    const held = [1, 2, 3].map(() => deployment.send());
    await until(() => messages.length === 3);
    const { status, body } = await deployment.send();
    expect([status, body.outcome, body.error]).toEqual([503, 'error', 'overloaded:gateway']);
    expect((await Promise.all(held)).map((answer) => answer.status)).toEqual([504, 504, 504]);
    expect((await deployment.stats('gateway')).inFlight).toBe(0);
  });

  it('ends a lost flow at its deadline, names the last hop that acknowledged it, and ignores a late report', async () => {
    const { url, messages } = await executor();
    // svc-2's sidecar takes the flow and never answers.
    const deployment = await started(
      { services: [{ generate: 3 }], enforcement: { architecture: 'sidecar' }, deadlines: { request: '2s' } },
      { standIns: { 'svc-2-sidecar': url } },
    );
    const { status, body, rttHeader } = await deployment.send({ id: 'lost' });
    expect([status, body.error, body.pastDeadline]).toEqual([504, 'deadline:svc-2-sidecar', true]);
    expect(body.rttUs).toBeGreaterThanOrEqual(1_999_000);
    expect(rttHeader).toBe(String(body.rttUs));
    expect(await deployment.seen('svc-1-sidecar', 'lost')).toEqual({
      id: 'lost',
      step: 1,
      acknowledgedBy: 'svc-2-sidecar',
    });
    const state = { ...(messages[0] as FlowMessage).state };
    await post(
      `${deployment.gatewayUrl}/report`,
      { state, verdict: { kind: 'completed' } },
      { [headers.token]: tokenOf(deployment, 'gateway') },
    );
    const stats = await deployment.stats('gateway');
    expect([stats.ignoredReports, stats.inFlight, stats.served]).toEqual([1, 0, 1]);
  });

  it('finishes the flow of a disconnected client', async () => {
    const { url, messages } = await executor();
    const deployment = await started(
      { enforcement: { architecture: 'central-entity' } },
      { standIns: { 'central-entity': url } },
    );
    const gone = new AbortController();
    const answer = fetch(`${deployment.gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(anyRequest),
      signal: gone.signal,
    });
    await until(() => messages.length > 0);
    gone.abort();
    await expect(answer).rejects.toThrow();
    expect((await deployment.stats('gateway')).inFlight).toBe(1);
    const outcome = { state: (messages[0] as FlowMessage).state, verdict: { kind: 'completed' } };
    await post(`${deployment.gatewayUrl}/report`, outcome, { [headers.token]: tokenOf(deployment, 'gateway') });
    const stats = await deployment.stats('gateway');
    expect([stats.inFlight, stats.served, stats.ignoredReports]).toEqual([0, 1, 0]);
  });

  it.each(['forward', 'nested'] as const)(
    'answers a thousand requests at once, each with its own: %s',
    async (style) => {
      const deadlines = { hop: '60s', request: '60s' };
      const deployment = await started({ enforcement: { architecture: 'sidecar', style }, deadlines });
      const ids = Array.from({ length: 1000 }, (_, i) => `id-${i}`);
      const answers = await Promise.all(ids.map((id) => deployment.send({ id })));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(answers.map(({ body }) => body.id)).toEqual(ids);
      const stats = await deployment.stats('svc-1-sidecar');
      expect([stats.served, stats.inFlight, stats.queued, stats.decisions.allow]).toEqual([1000, 0, 0, 1000]);
      expect(stats.connections).toBeGreaterThan(0);
    },
    180_000,
  );
});
