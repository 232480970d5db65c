/** Containers of a real engine with the built service image. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labels } from '@topo-bench/containers';
import type { DeploymentDocuments, RoleDocuments, TopoBenchError } from '@topo-bench/core';
import type { DeploymentPlan, Placement } from '@topo-bench/deployment';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cutConnection } from '../../../../test/fixtures/cut-connection.ts';
import { dockerOrSkip } from '../../../../test/fixtures/engines.ts';
import { dockerRunner } from '../../src/docker/runner.ts';
import type { Deployment, ProcessChange, StartOptions } from '../../src/runner.ts';
import { documentsOf, planOf } from '../fixtures/role-documents.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const docker = await dockerOrSkip();
const serviceEntry = join(import.meta.dirname, '../../../cli/dist/service.cjs');
const baseImage = process.env.TOPO_BENCH_BASE_IMAGE;
if (!docker.missing && !existsSync(serviceEntry)) throw new Error('the service entry is not built: run npm run setup');

let logsDir: string;
let deployment: Deployment | undefined;

beforeEach(async () => {
  logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-docker-'));
});
afterEach(async () => {
  await deployment?.stop();
  deployment = undefined;
  await rm(logsDir, { recursive: true, force: true });
});

/** Documents of roles on the addresses that the runner has chosen. */
function onPlaces(plan: DeploymentPlan, place: Placement): DeploymentDocuments {
  const { roles, ...others } = documentsOf(plan.roles.length - 1);
  const placed = roles.map(({ config, secrets }, index): RoleDocuments => {
    const role = plan.roles[index] as DeploymentPlan['roles'][number];
    const peers = plan.roles.filter(({ name }) => name in config.peers);
    const urls = peers.map((peer) => [peer.name, { node: 0, url: place.urlOf(peer) as string }]);
    return { config: { ...config, listen: place.listen(role), peers: Object.fromEntries(urls) }, secrets };
  });
  return { ...others, roles: placed };
}

const runner = dockerRunner({ serviceEntry, ...(baseImage !== undefined && { baseImage }) });

async function start(options: Partial<StartOptions> = {}): Promise<Deployment> {
  const plan = planOf(2);
  deployment = await runner.start(plan, (place) => onPlaces(plan, place), { logsDir, ...options });
  return deployment;
}

async function failure(options: Partial<StartOptions>): Promise<TopoBenchError> {
  return start(options).then(
    () => Promise.reject(new Error('it started')),
    (error) => error,
  );
}

/** Names of everything with the label of a run of this process. */
async function owned(): Promise<string[]> {
  const { client } = await docker.engine;
  const filters = { label: [labels.run] };
  const isOurs = (labelsOf: Record<string, string> | undefined): boolean =>
    labelsOf?.[labels.owner]?.split('.')[1] === String(process.pid);
  const containers = await client.listContainers({ all: true, filters });
  const networks = await client.listNetworks({ filters });
  const { Volumes } = await client.listVolumes({ filters });
  return [
    ...containers.filter(({ Labels }) => isOurs(Labels)).map(({ Names }) => Names[0] ?? ''),
    ...networks.filter(({ Labels }) => isOurs(Labels)).map(({ Name }) => Name),
    ...(Volumes ?? []).filter(({ Labels }) => isOurs(Labels)).map(({ Name }) => Name),
  ];
}

async function containerOf(role: string) {
  const { client } = await docker.engine;
  const found = await client.listContainers({ all: true, filters: { label: [`${labels.role}=${role}`] } });
  // Other tests use the engine at the same time.
  const [name, ...others] = (await owned()).filter((one) => one.endsWith(`-${role}`));
  expect(others).toEqual([]);
  return client.getContainer(found.find(({ Names }) => Names[0] === name)?.Id as string);
}

/** Standard output of a command in a container. */
async function outputOf(container: Awaited<ReturnType<typeof containerOf>>, ...command: string[]): Promise<string> {
  const exec = await container.exec({ Cmd: command, AttachStdout: true, Tty: true });
  const chunks: Buffer[] = [];
  for await (const chunk of await exec.start({ Tty: true })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString().trim();
}

describe.skipIf(docker.missing)(`a deployment in containers${docker.why}`, () => {
  it('has every role with its address, and names the host of the engine', async () => {
    const { roles, hosts, gatewayUrl, stats } = await start();
    expect(roles.map(({ name, kind, node }) => [name, kind, node])).toEqual([
      ['gateway', 'gateway', 0],
      ['svc-1', 'service', 0],
      ['svc-2', 'service', 0],
    ]);
    expect(gatewayUrl).toBe(roles[0]?.url);
    expect(roles[0]?.goesFirst).toBe(true);
    expect(hosts).toHaveLength(1);
    expect(hosts[0]?.node).toBe(await outputOf(await containerOf('svc-1'), 'node', '--print', 'process.versions.node'));
    expect(roles.map(({ host }) => host)).toEqual(roles.map(() => hosts[0]?.id));
    // Data and control routes have ports of their own.
    expect((await fetch(`${roles[1]?.url}/health`)).status).toBe(404);
    const names = (await stats.call(deployment)).map(({ name }) => name);
    expect(names).toEqual(['gateway', 'svc-1', 'svc-2']);
  });

  it('gives each role no rights that it does not need, and shows none of its secrets', async () => {
    await start();
    const container = await containerOf('svc-1');
    const info = await container.inspect();
    expect(info.HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: expect.arrayContaining([expect.anything()]),
    });
    expect(info.HostConfig.SecurityOpt?.join()).toContain('no-new-privileges');
    expect(info.Config.User).toBe('1000:1000');
    expect(JSON.stringify(info)).not.toMatch(/token of|control of|digestKey/);
    // The secrets are there, for the role alone.
    const archive = await container.getArchive({ path: '/etc/topo-bench/secrets.json' });
    const bytes: Buffer[] = [];
    for await (const chunk of archive) bytes.push(chunk as Buffer);
    const [header, text] = [Buffer.concat(bytes).subarray(0, 512).toString('latin1'), Buffer.concat(bytes).toString()];
    expect(text).toContain('control of svc-1');
    expect(header.slice(100, 108)).toContain('400');
    expect(Number.parseInt(header.slice(108, 116), 8)).toBe(1000);
  });

  it('writes the output of each container into the log of its role', async () => {
    await start();
    await expect.poll(() => readFile(join(logsDir, 'svc-2.log'), 'utf8')).toContain('"ready":true');
  });

  it('reports CPU time and memory of each role, as its host counts them', async () => {
    const running = await start();
    const before = await running.usage({ pss: true });
    expect(before.map(({ name }) => name)).toEqual(['gateway', 'svc-1', 'svc-2']);
    for (const { process: use } of before) {
      expect(use?.cpuUs).toBeGreaterThan(10_000);
      expect(use?.rssBytes).toBeGreaterThan(20e6);
    }
    const { facts } = await docker.engine;
    // An engine on another host does not show its processes.
    expect((before[0]?.pssBytes ?? 0) > 5e6).toBe(facts.local);
    for (let i = 0; i < 50; i++) await running.stats();
    const after = await running.usage();
    expect(after[1]?.process?.cpuUs).toBeGreaterThan(before[1]?.process?.cpuUs as number);
    expect((await running.detachedCpuUs()) > (after[0]?.process?.cpuUs as number)).toBe(facts.local);
  });

  it('publishes the gateway on the requested port, on this machine only', async () => {
    const probe = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const { gatewayUrl } = await start({ gatewayPort: port });
    expect(gatewayUrl).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${gatewayUrl}/nothing`)).status).toBe(404);
    const info = await (await containerOf('gateway')).inspect();
    expect(info.NetworkSettings.Ports['8080/tcp']?.[0]?.HostIp).toBe('127.0.0.1');
  });

  it('removes containers, volumes and network when it stops, also when called again', async () => {
    const running = await start();
    const names = await owned();
    // Three containers, a network and three volumes. Podman has no labels on volumes of containers.
    const { client, facts } = await docker.engine;
    expect(names).toHaveLength(facts.product === 'Podman' ? 4 : 7);
    const info = await (await containerOf('svc-1')).inspect();
    const volume = client.getVolume(info.Mounts.find(({ Type }) => Type === 'volume')?.Name as string);
    expect(await volume.inspect()).toBeDefined();
    await Promise.all([running.stop(), running.stop()]);
    await running.stop();
    expect(await owned()).toEqual([]);
    await expect(volume.inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('leaves no timer behind that would keep this process running', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    const before = timers();
    await (await start()).stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('names a container that is killed, and then removes everything', async () => {
    const running = await start();
    const death = new Promise<[TopoBenchError, string]>((resolve) =>
      running.onDeath((error, { name }) => resolve([error, name])),
    );
    await (await containerOf('svc-2')).kill();
    const [error, name] = await death;
    expect(name).toBe('svc-2');
    const reading = await running.detachedCpuUs().then(String, (failure: Error) => failure.message);
    expect(reading.includes('svc-2')).toBe((await docker.engine).facts.local);
    expect(error).toMatchObject({ code: 'TB_ROLE_DIED', message: expect.stringContaining('was killed (SIGKILL)') });
    expect(error.message).toContain('"ready":true');
    await expect(running.stats()).rejects.toBe(error);
    await running.stop();
    expect(await owned()).toEqual([]);
  });

  it('names a container that needs more memory than its limit', async () => {
    const plan = planOf(2);
    const roles = plan.roles.map((role) =>
      role.name === 'svc-1' ? { ...role, limits: { memoryBytes: 2 ** 25 } } : role,
    );
    // A document above the limit.
    const configure = (place: Placement): DeploymentDocuments => {
      const documents = onPlaces(plan, place);
      Object.assign(documents.roles[1]?.config ?? {}, { padding: 'x'.repeat(2 ** 26) });
      return documents;
    };
    const started = runner.start({ ...plan, roles }, configure, { logsDir });
    await expect(started).rejects.toMatchObject({
      code: 'TB_ROLE_DIED',
      message: expect.stringMatching(/container of svc-1 was killed: it used more than its 32 ?MiB/),
      hint: expect.stringContaining('limits.memory'),
    });
    expect(await owned()).toEqual([]);
  });

  it('leaves nothing behind when its port is taken', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const error = await failure({ gatewayPort: (server.address() as AddressInfo).port });
    server.close();
    expect(error.code).toBe('TB_ROLE_PORT_TAKEN');
    expect(await owned()).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const aborting = new AbortController();
    const started = failure({ signal: aborting.signal });
    await vi.waitFor(async () => expect((await owned()).length).toBeGreaterThan(2), { timeout: 20_000, interval: 10 });
    aborting.abort();
    expect((await started).code).toBe('TB_INTERRUPTED');
    expect(await owned()).toEqual([]);
  });

  it('names the roles that are not ready in time', async () => {
    const error = await failure({ readyTimeoutMs: 50 });
    expect(error).toMatchObject({ code: 'TB_ROLE_NOT_READY', message: expect.stringContaining('3 of 3 roles') });
    expect(await owned()).toEqual([]);
  });
});

describe.skipIf(docker.missing)(`an engine behind a TCP address${docker.why}`, () => {
  it('is reached over published ports, and counts CPU time and memory itself', async () => {
    const { address } = await docker.engine;
    // An engine elsewhere, as far as the runner can tell.
    const forwarder = await cutConnection({ path: new URL(address.url).pathname });
    onTestFinished(forwarder.close);
    vi.stubEnv('DOCKER_HOST', `tcp://127.0.0.1:${forwarder.port}`);
    try {
      const remote = dockerRunner({ serviceEntry, ...(baseImage !== undefined && { baseImage }) });
      const plan = planOf(1);
      deployment = await remote.start(plan, (place) => onPlaces(plan, place), { logsDir });
      expect(new Set(deployment.roles.map(({ url }) => new URL(url).hostname))).toEqual(new Set(['127.0.0.1']));
      expect((await deployment.stats()).map(({ name }) => name)).toEqual(['gateway', 'svc-1']);
      const [gateway] = await deployment.usage({ pss: true });
      expect(gateway?.process?.cpuUs).toBeGreaterThan(10_000);
      expect(gateway?.process?.rssBytes).toBeGreaterThan(10e6);
      expect(gateway?.process?.mainThread).toBeUndefined();
      expect(await deployment.detachedCpuUs()).toBe(0);
      await deployment.stop();
      expect(await owned()).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('kills a role, starts it again under its name, and pauses it; nothing is left by a stop meanwhile', async () => {
    const running = await start();
    const deaths: string[] = [];
    running.onDeath((_, { name }) => deaths.push(name));
    const apply = (kind: ProcessChange['kind'], role: string) =>
      running.apply({ kind, role }, new AbortController().signal);
    const cpuUs = async () => (await running.usage())[1]?.process?.cpuUs ?? 0;
    const before = await cpuUs();
    await apply('kill', 'svc-1');
    expect((await running.stats()).map(({ name }) => name)).toEqual(['gateway', 'svc-2']);
    expect(await cpuUs()).toBeGreaterThanOrEqual(before);
    await apply('restart', 'svc-1');
    expect((await running.stats()).map(({ name }) => name)).toEqual(['gateway', 'svc-1', 'svc-2']);
    expect(await cpuUs()).toBeGreaterThan(before);
    await apply('freeze', 'svc-2');
    const stateOf = async (role: string) => (await (await containerOf(role)).inspect()).State.Status;
    expect(await stateOf('svc-2')).toBe('paused');
    await apply('thaw', 'svc-2');
    expect(await stateOf('svc-2')).toBe('running');
    await apply('kill', 'gateway');
    await apply('restart', 'gateway');
    expect(await running.stats()).toHaveLength(3);
    expect(deaths).toEqual([]);
    await apply('freeze', 'svc-2');
    await apply('kill', 'svc-1');
    await running.stop();
    expect(await owned()).toEqual([]);
    expect(deaths).toEqual([]);
  });

  it('reports a death after a restart', async () => {
    const running = await start();
    const deaths: string[] = [];
    running.onDeath((_, { name }) => deaths.push(name));
    const { signal } = new AbortController();
    await running.apply({ kind: 'kill', role: 'svc-1' }, signal);
    await running.apply({ kind: 'restart', role: 'svc-1' }, signal);
    await (await containerOf('svc-1')).kill();
    await expect.poll(() => deaths, { timeout: 20_000 }).toEqual(['svc-1']);
  });
});
