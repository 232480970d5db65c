/** Processes that stand for containers: their control group names them, as that of a container does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '@topo-bench/containers';
import { findCgroup } from '@topo-bench/host';
import Docker from 'dockerode';
import { expect, it, onTestFinished } from 'vitest';
import { containersCpuUs, containersHere, containerUsage } from '../../src/docker/container-usage.ts';
import type { RoleContainer } from '../../src/docker/role-container.ts';

const here = { facts: { local: true } } as Engine;
const remote = { facts: { local: false } } as Engine;

it.runIf(findCgroup('self')?.usage().cpuUs !== undefined)(
  'the CPU time of containers is unknown once one has ended, and 0 for those of another host',
  async () => {
    const process = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void process.kill('SIGKILL'));
    const info = { Id: findCgroup('self')?.path, Name: '/tb-1.svc-1', State: { Pid: process.pid } };
    const role = { info, endedCpuUs: 0 } as unknown as RoleContainer;
    const containers = containersHere(here, [role]);
    expect(containersCpuUs(here, containers)).toBeGreaterThan(0);
    process.kill('SIGKILL');
    await once(process, 'exit');
    expect(() => containersCpuUs(here, containers)).toThrow('tb-1.svc-1');
    expect(containersCpuUs(remote, containersHere(remote, [role]))).toBe(0);
  },
);

/** An engine in a machine on this one has a local socket, and its process ids are other processes here. */
it.runIf(findCgroup('self'))('a process with the id of a container elsewhere is not taken for it', async () => {
  const Id = 'f'.repeat(64);
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const cpu_usage = { total_usage: 7_000_000, usage_in_kernelmode: 2_000_000 };
    const stats = { cpu_stats: { cpu_usage }, memory_stats: { usage: 5e6, stats: {} } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(stats));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const inMachine = { ...here, client: new Docker({ protocol: 'http', host: '127.0.0.1', port }) };
  // A living process of this host that is no container: this one.
  const info = { Id, Name: '/tb-1.svc-1', State: { Pid: process.pid }, HostConfig: {} };
  const role = { info, config: { name: 'svc-1', kind: 'service' }, ended: [] } as unknown as RoleContainer;

  expect(containersHere(inMachine, [role])).toEqual([]);
  expect(await containerUsage(inMachine, role, { pss: true })).toEqual({
    name: 'svc-1',
    kind: 'service',
    userService: false,
    process: { cpuUs: 7000, systemUs: 2000, rssBytes: 5e6 },
  });
  expect(asked.map((url) => url.split('?')[0])).toEqual([`/containers/${Id}/stats`]);
});
