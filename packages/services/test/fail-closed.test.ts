import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { styles } from '@topo-bench/core/schema/topology';
import type { FlowMessage, Outcome } from '@topo-bench/flow';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type DeployOptions,
  deploy,
  type TestDeployment,
  type TopologyParts,
  testGraph,
} from './fixtures/deployment.ts';
import { recordingService } from './recording-service.ts';

let closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});
async function started(topology: Partial<TopologyParts>, options: DeployOptions = {}): Promise<TestDeployment> {
  const deployment = await deploy(testGraph({ framework: 'node', services: [{ generate: 3 }], ...topology }), options);
  closing.push(() => deployment.close());
  return deployment;
}

/** Accepts connections and never sends a byte. */
async function silent(): Promise<string> {
  const sockets = new Set<import('node:net').Socket>();
  const server: Server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const points = [
  ['none', 'svc-2', 'svc-2'],
  ['central-entity', 'central-entity', 'central-entity'],
  ['dynamic-router', 'router-2', 'router-2'],
  ['sidecar', 'svc-2-sidecar', 'svc-2-sidecar'],
  ['sidecar', 'svc-2', 'svc-2'],
] as const;

/** Hops on the way to one. */
const callersOf: Record<(typeof points)[number][2], string[]> = {
  'central-entity': [],
  'router-2': ['router-1'],
  'svc-2': ['svc-1', 'svc-1-sidecar', 'svc-2-sidecar'],
  'svc-2-sidecar': ['svc-1-sidecar'],
};

describe.each(styles)('in %s style', (style) => {
  it.each(points)(
    'under %s, with %s down, its service is not called and the hop is named',
    async (architecture, down, named) => {
      const services = { 'svc-2': await recordingService(), 'svc-3': await recordingService() };
      closing.push(services['svc-2'].close, services['svc-3'].close);
      const { 'svc-2': two, 'svc-3': three } = services;
      const standIns = architecture === 'none' || down === 'svc-2' ? {} : { 'svc-2': two.url, 'svc-3': three.url };
      const deployment = await started({ enforcement: { architecture, style, routers: 3 } }, { standIns });
      expect((await deployment.send()).status).toBe(200);
      const before = [two.received.length, three.received.length];
      await deployment.stop(down);
      const { status, body } = await deployment.send();
      expect([status, body.outcome, body.error]).toEqual([503, 'error', `unreachable:${named}`]);
      expect([two.received.length, three.received.length]).toEqual(before);
      expect((await deployment.stats('gateway')).inFlight).toBe(0);
    },
  );

  it.each(points)(
    'under %s, with %s past its deadline, the answer is 504 and the hop is named',
    async (architecture, stalled, named) => {
      const deployment = await started(
        { enforcement: { architecture, style, routers: 3 }, deadlines: { hop: '1s' } },
        { standIns: { [stalled]: await silent() } },
      );
      const { status, body } = await deployment.send();
      expect(status).toBe(504);
      // Nested hops expire 50 ms apart, which a busy machine may take between two of them.
      const upstream = style === 'nested' ? callersOf[named] : [];
      expect([named, ...upstream].map((hop) => `deadline:${hop}`)).toContain(body.error);
      const steps = body.steps.map(({ service }) => service);
      const passed =
        architecture === 'none' || architecture === 'central-entity'
          ? []
          : stalled === 'svc-2'
            ? ['svc-1', 'svc-2']
            : ['svc-1'];
      // A caller that expires first has no answer with the steps behind it.
      expect(steps).toEqual(body.error === `deadline:${named}` ? passed : passed.slice(0, steps.length));
      const answering = deployment.configs.filter(({ name }) => name !== stalled);
      expect(answering).toHaveLength(deployment.configs.length - 1);
      for (const { name } of answering) expect([name, (await deployment.stats(name)).inFlight]).toEqual([name, 0]);
    },
  );

  it('an error in one branch outranks refusals, since their order is unknown', async () => {
    const graph = testGraph(
      {
        services: ['s1', 's2', 's3'].map((name) => ({ name })),
        flow: [['s1', 's2'], 's3'],
        enforcement: { architecture: 'sidecar', style },
      },
      {
        rules: [
          { id: 'no', when: { fact: 'target', path: '$.service', operator: 'equal', value: 's1' }, effect: 'deny' },
        ],
      },
    );
    const deployment = await deploy(graph);
    closing.push(() => deployment.close());
    await deployment.stop('s2-sidecar');
    const { status, body } = await deployment.send();
    expect([status, body.error]).toEqual([503, 'unreachable:s2-sidecar']);
  });
});

describe('an answer outside the contract', () => {
  it('of a service counts as an error of that service', async () => {
    const service = await recordingService();
    closing.push(service.close);
    service.status = 500;
    const deployment = await started(
      { enforcement: { architecture: 'sidecar' } },
      { standIns: { 'svc-1': service.url } },
    );
    const { status, body } = await deployment.send();
    expect([status, body.error]).toEqual([503, 'bad-answer:svc-1']);
    expect(body.message).toContain('500');
  });
});

describe('an enforcement point that receives a message without time left', () => {
  it('decides nothing and calls no service', async () => {
    const deployment = await started({ enforcement: { architecture: 'central-entity', style: 'nested' } });
    const central = deployment.configs.find(({ name }) => name === 'central-entity');
    const state = {
      ...{
        id: 'late',
        at: 0,
        replyTo: 'gateway',
        join: -1,
        branch: -1,
        done: 0,
        hops: 1,
        hopsBetweenNodes: 0,
        steps: [],
      },
      ...{ delivered: { services: [], copies: [] }, reached: [0], placed: {}, exposureBytes: {} },
    };
    const response = await fetch(`${deployment.urls['central-entity']}/flow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-topo-token': central?.secrets.token ?? '' },
      body: JSON.stringify({ state, leftUs: 0, from: 0, request: { payload: {} }, fieldCategories: {} }),
    });
    const { verdict } = (await response.json()) as Outcome;
    expect(verdict).toMatchObject({ kind: 'error', error: 'deadline:central-entity' });
    expect((await deployment.stats('svc-1')).served).toBe(0);
    expect((await deployment.stats('central-entity')).decisions).toEqual({ allow: 0, deny: 0, redact: 0, reroute: 0 });
  });
});

describe('messages between roles', () => {
  it.each(styles)('carry the time that is left, never a time of day: %s style', async (style) => {
    const role = await recordingService();
    role.status = undefined;
    closing.push(role.close);
    const deployment = await started(
      { enforcement: { architecture: 'sidecar', style }, deadlines: { hop: '1s', request: '60s' } },
      { standIns: { 'svc-1-sidecar': role.url } },
    );
    await deployment.send();
    const [message] = role.received as unknown as [FlowMessage];
    // Numbers alone: identifiers and payload values are random texts, which may contain many digits.
    const numbers: number[] = [];
    JSON.stringify(message, (_, value) => {
      if (typeof value === 'number') numbers.push(value);
      return value;
    });
    // Nested style: until the sender gives up, which is by its margin before its own deadline.
    const leftUs = style === 'nested' ? 1_000_000 : 60_000_000;
    expect(message.leftUs).toBeLessThanOrEqual(leftUs);
    expect(message.leftUs).toBeGreaterThan(leftUs - 500_000);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(60_000_000);
  });
});
