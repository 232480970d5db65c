/** Roles as in containers: compressed documents in files, known addresses, control routes on a port of their own. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { headers } from '@topo-bench/core';
import { deploymentDocuments, planDeployment, type RolePlan } from '@topo-bench/deployment';
import { freePort } from '@topo-bench/host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send, testGraph } from './fixtures/deployment.ts';
import { type Bundle, bundleEntry, RoleProcess } from './role-process.ts';

let bundle: Bundle;
const processes: RoleProcess[] = [];
// It takes flows and never reports on them.
const silent = createServer((request, response) => {
  request.resume();
  response.writeHead(request.url === '/flow' ? 202 : 404).end();
});

beforeAll(async () => {
  bundle = await bundleEntry();
});
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await Promise.all(processes.map(({ exit }) => exit));
  silent.close();
  silent.closeAllConnections();
  await bundle.remove();
});

async function written(name: string, document: unknown): Promise<string> {
  const file = join(bundle.dir, `${name}.json.gz`);
  await writeFile(file, gzipSync(JSON.stringify(document)));
  return file;
}

it('serves data and control on two ports, and finds a lost flow by the control ports of its peers', async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const graph = testGraph({
    services: [{ generate: 2 }],
    enforcement: { architecture: 'sidecar' },
    deadlines: { request: '3s' },
  });
  const plan = planDeployment(graph);
  const ports = new Map<string, { port: number; controlPort: number }>();
  for (const { name } of plan.roles) ports.set(name, { port: await freePort(), controlPort: await freePort() });
  const portsOf = ({ name }: RolePlan) => ports.get(name) as { port: number; controlPort: number };
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { roles, graph: document } = deploymentDocuments({
    graph,
    plan,
    seed: 1,
    secret: 's',
    place: {
      listen: (role) => ({ host: '127.0.0.1', ...portsOf(role) }),
      urlOf: (role) => (role.name === 'svc-2-sidecar' ? silentUrl : `http://127.0.0.1:${portsOf(role).port}`),
      controlUrlOf: (role) => `http://127.0.0.1:${portsOf(role).controlPort}`,
      storeUrl: (url) => url,
      network: 'real',
    },
  });
  const graphFile = await written('graph', document);
  for (const { config, secrets } of roles) {
    const files = ['--config', await written(`${config.name}.config`, config)];
    files.push('--secrets', await written(`${config.name}.secrets`, secrets), '--graph', graphFile);
    const role = new RoleProcess(bundle.file, files);
    processes.push(role);
    await role.line();
  }

  const { port, controlPort } = ports.get('svc-1') as { port: number; controlPort: number };
  const token = { [headers.control]: roles[0]!.secrets.controlToken };
  const statusOf = async (at: number, path: string) =>
    (await fetch(`http://127.0.0.1:${at}${path}`, { headers: token })).status;
  expect(await statusOf(controlPort, '/health')).toBe(200);
  expect(await statusOf(controlPort, '/control/stats')).toBe(200);
  expect(await statusOf(port, '/health')).toBe(404);
  expect(await statusOf(port, '/control/stats')).toBe(404);
  expect(await statusOf(controlPort, '/work')).toBe(404);

  // The first sidecar alone knows that the second acknowledged the flow.
  const { status, body } = await send(`http://127.0.0.1:${ports.get('gateway')!.port}`, { id: 'lost' });
  expect([status, body.error]).toEqual([504, 'deadline:svc-2-sidecar']);
});
