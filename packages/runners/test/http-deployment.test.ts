import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { TopoBenchError } from '@topo-bench/core';
import type { DeploymentRuleChange } from '@topo-bench/deployment';
import { expect, it, onTestFinished } from 'vitest';
import { ControlClient } from '../src/control-client.ts';
import { HttpDeployment } from '../src/http-deployment.ts';

/** A deployment of one role, at the address of a server that handles connections as given. */
async function deploymentAt(server: Server): Promise<HttpDeployment> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const role = { name: 'svc-1', kind: 'service', url, node: 0, host: 'h', controlToken: 't' } as const;
  return new HttpDeployment([role], new ControlClient(), {
    hosts: [],
    usage: async () => [],
    detachedCpuUs: async () => 0,
    stop: async () => undefined,
  });
}

const death = new TopoBenchError('TB_ROLE_DIED', 'svc-1 was killed');

it('gives up questions as soon as a role dies, with the death as the reason', async () => {
  // Takes connections and never answers, like the address of a container that is gone.
  const silent = createServer();
  const deployment = await deploymentAt(silent);
  const connected = once(silent, 'connection');
  const stats = deployment.stats().catch((error) => error);
  const [socket] = await connected;
  deployment.reportDeath('svc-1', death);
  expect(await stats).toBe(death);
  await expect(deployment.reset()).rejects.toBe(death);
  socket.destroy();
  await deployment.stop();
  silent.close();
});

it('reports the death of a role that the engine reports after the connection has ended', async () => {
  const ended = createServer((socket) => socket.destroy());
  const deployment = await deploymentAt(ended);
  const connected = once(ended, 'connection');
  const reset = deployment.reset().catch((error) => error);
  await connected;
  setTimeout(() => deployment.reportDeath('svc-1', death), 200);
  expect(await reset).toBe(death);
  await deployment.stop();
  ended.close();
});

it('gives a role that is down the faults of its messages once it is back', async () => {
  const asked: string[] = [];
  const role = createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.url} ${text}`);
      response.end('{}');
    });
  });
  role.listen(0, '127.0.0.1');
  await once(role, 'listening');
  const url = `http://127.0.0.1:${(role.address() as AddressInfo).port}`;
  const target = { name: 'svc-1', kind: 'service', url, node: 0, host: 'h', controlToken: 't' } as const;
  const deployment = new HttpDeployment([target], new ControlClient(), {
    hosts: [],
    usage: async () => [],
    detachedCpuUs: async () => 0,
    apply: async () => undefined,
    stop: async () => undefined,
  });
  const { signal } = new AbortController();
  const faults = { delayUs: 7, to: ['a'], from: [] };
  await deployment.apply({ kind: 'kill', role: 'svc-1' }, signal);
  await deployment.apply({ kind: 'messages', role: 'svc-1', faults }, signal);
  expect(asked).toEqual([]);
  await deployment.apply({ kind: 'restart', role: 'svc-1' }, signal);
  expect(asked).toEqual(['/control/reset {}', `/control/faults ${JSON.stringify(faults)}`]);
  await deployment.stop();
  role.close();
});

const { signal } = new AbortController();
const changed = (version: number): DeploymentRuleChange => ({
  ...{ version, digest: '', ruleIds: [], fetched: false, stamped: false, gateways: ['gateway'] },
  parts: { point: { default: 'deny', conditions: {}, rules: [] } },
});

/** An enforcement point and a gateway, whose control routes do as told. */
async function deploymentWithRules(answer: (path: string, body: string) => Promise<number>, startsIn = async () => {}) {
  const kept: [string, number | undefined][] = [];
  const server = createHttpServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.statusCode = await answer(String(request.url), text);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const common = { url, node: 0, host: 'h', controlToken: 't' } as const;
  const targets = [
    { ...common, name: 'gateway', kind: 'gateway' },
    { ...common, name: 'point', kind: 'central-entity' },
  ] as const;
  const deployment = new HttpDeployment(targets, new ControlClient(), {
    ...{ hosts: [], usage: async () => [], detachedCpuUs: async () => 0, stop: async () => undefined },
    apply: ({ kind }) => (kind === 'restart' ? startsIn() : Promise.resolve()),
    keepRules: (role, { rulesVersion }) => void kept.push([role, rulesVersion]),
  });
  return { deployment, kept };
}

it('confirms a change for a point that is starting only when it has the new rules', async () => {
  const sent: number[] = [];
  let started = (): void => undefined;
  const start = new Promise<void>((resolve) => {
    started = resolve;
  });
  const answer = async (path: string, body: string): Promise<number> => {
    if (path === '/control/rules' && JSON.parse(body).rules) sent.push(JSON.parse(body).version);
    return 200;
  };
  const { deployment } = await deploymentWithRules(answer, () => start);
  await deployment.apply({ kind: 'kill', role: 'point' }, signal);
  const restarted = deployment.apply({ kind: 'restart', role: 'point' }, signal);
  let isConfirmed = false;
  const change = deployment.changeRules(changed(1), signal).then(() => {
    isConfirmed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isConfirmed).toBe(false);
  started();
  await Promise.all([restarted, change]);
  expect(sent).toContain(1);
  await deployment.stop();
});

it('confirms a change for a point that crashes meanwhile, which starts again with the new rules', async () => {
  let deployment: HttpDeployment | undefined;
  const answer = async (path: string, body: string): Promise<number> => {
    if (path !== '/control/rules' || !JSON.parse(body).rules) return 200;
    await deployment?.apply({ kind: 'kill', role: 'point' }, signal);
    return 500;
  };
  const made = await deploymentWithRules(answer);
  deployment = made.deployment;
  await deployment.changeRules(changed(1), signal);
  expect(made.kept).toContainEqual(['point', 1]);
  await deployment.stop();
});

it('sends the faults of its messages again to a role that crashes while it is sent them', async () => {
  let deployment: HttpDeployment | undefined;
  const sent: string[] = [];
  const answer = async (path: string, body: string): Promise<number> => {
    if (path !== '/control/faults') return 200;
    sent.push(body);
    if (sent.length > 1) return 200;
    await deployment?.apply({ kind: 'kill', role: 'point' }, signal);
    return 500;
  };
  deployment = (await deploymentWithRules(answer)).deployment;
  const faults = { delayUs: 7, to: [], from: [] };
  await deployment.apply({ kind: 'messages', role: 'point', faults }, signal);
  await deployment.apply({ kind: 'restart', role: 'point' }, signal);
  expect(sent).toEqual([JSON.stringify(faults), JSON.stringify(faults)]);
  await deployment.stop();
});

it('has the figures of all other roles of which one is killed before its answer', async () => {
  let deployment: HttpDeployment | undefined;
  let asked = 0;
  const answer = async (): Promise<number> => {
    asked++;
    if (asked > 1) return 200;
    await deployment?.apply({ kind: 'kill', role: 'gateway' }, signal);
    return 500;
  };
  deployment = (await deploymentWithRules(answer)).deployment;
  expect(await deployment.stats()).toHaveLength(1);
  await deployment.stop();
});
