import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TopoBenchError } from '@topo-bench/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LocalRunnerOptions, localRunner } from '../../src/local/runner.ts';
import type { Deployment, StartOptions } from '../../src/runner.ts';
import { deploymentOf, documentsOf, planOf, roleDocuments } from '../fixtures/role-documents.ts';

const serviceEntry = fileURLToPath(new URL('../fixtures/role-entry.mjs', import.meta.url));
let logsDir: string;
let deployment: Deployment | undefined;

beforeEach(async () => {
  logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-runner-'));
});
afterEach(async () => {
  await deployment?.stop();
  deployment = undefined;
  await rm(logsDir, { recursive: true, force: true });
});

type Options = Partial<StartOptions> & Partial<LocalRunnerOptions>;

async function start(documents = documentsOf(2), { env, concurrency, ...options }: Options = {}): Promise<Deployment> {
  const runner = localRunner({ serviceEntry, ...(env && { env }), ...(concurrency && { concurrency }) });
  deployment = await runner.start(planOf(documents.roles.length - 1), () => documents, { logsDir, ...options });
  return deployment;
}

/** The error that a start ends with. */
async function failure(documents: ReturnType<typeof documentsOf>, options: Options = {}): Promise<TopoBenchError> {
  return start(documents, options).then(
    () => Promise.reject(new Error('it started')),
    (error) => error,
  );
}

const readLog = (name: string) => readFile(join(logsDir, `${name}.log`), 'utf8');

/** Process ids of the roles, as the fixture adds them to its counters. */
async function pidsOf(running: Pick<Deployment, 'stats'>): Promise<number[]> {
  return ((await running.stats()) as unknown as { pid: number }[]).map(({ pid }) => pid);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function pidsIn(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n');
  return lines.filter((line) => line.startsWith('+')).map(Number);
}

describe('a deployment', () => {
  test('has every role with its url, process and node, in the order of the documents, and names the gateway', async () => {
    const running = await start();
    const { roles, gatewayUrl } = running;
    expect(roles.map(({ name, kind, node }) => [name, kind, node])).toEqual([
      ['gateway', 'gateway', 0],
      ['svc-1', 'service', 0],
      ['svc-2', 'service', 0],
    ]);
    expect(new Set(await pidsOf(running)).size).toBe(3);
    expect(gatewayUrl).toBe(roles[0]?.url);
    const health = await fetch(`${roles[1]?.url}/health`);
    expect(await health.json()).toEqual({ name: 'svc-1', kind: 'service' });
  });

  test('gives the gateway priority over the others, and reports whether the system allowed it', async () => {
    const running = await start();
    const nice = (await pidsOf(running)).map((pid) => getPriority(pid));
    const own = getPriority();
    const [{ goesFirst } = {}] = running.roles;
    expect(nice).toEqual([goesFirst ? -20 : own, own, own]);
    // Root may do so everywhere on Linux.
    const mustBeAllowed = process.platform === 'linux' && process.getuid?.() === 0;
    expect(mustBeAllowed && !goesFirst).toBe(false);
  });

  test('names this machine as the host of every role, with the Node.js that runs them', async () => {
    const { roles, hosts } = await start();
    const [host] = hosts;
    expect(hosts).toHaveLength(1);
    expect(host).toMatchObject({ node: process.versions.node, cores: availableParallelism(), arch: process.arch });
    expect(roles.map((role) => role.host)).toEqual([host?.id, host?.id, host?.id]);
  });

  test('gives each role the addresses of its peers, and no others', async () => {
    const { roles } = await start();
    const urlOf = (name: string) => roles.find((role) => role.name === name)?.url;
    expect(await readLog('gateway')).toContain(
      `peers ${JSON.stringify({ peers: { 'svc-1': urlOf('svc-1'), 'svc-2': urlOf('svc-2') } })}`,
    );
    expect(await readLog('svc-1')).toContain('peers {"peers":{}}');
  });

  test('logs standard error and whatever follows the handshake on standard output', async () => {
    await start();
    await expect.poll(() => readLog('svc-2')).toContain('late output');
  });

  test('reads the counters of all roles, resets them and collects their spans', async () => {
    const { stats, reset, spans } = await bound();
    expect((await stats()).map(({ name, served }) => [name, served])).toEqual([
      ['gateway', 1],
      ['svc-1', 1],
      ['svc-2', 1],
    ]);
    expect((await stats())[0]?.served).toBe(2);
    await reset();
    expect((await stats())[0]?.served).toBe(1);
    expect((await spans()).map(({ role }) => role)).toEqual(['gateway', 'svc-1', 'svc-2']);
  });

  test('gives a role its own environment, and none of what would slow down or debug all of them', async () => {
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    vi.stubEnv('NODE_EXTRA_CA_CERTS', '/some/certificates.pem');
    vi.stubEnv('TOPO_BENCH_POSTGRES_URL', 'postgres://user:password@127.0.0.1/shop');
    vi.stubEnv('FROM_USER', 'yes');
    const { roles } = await start(undefined, { env: { 'svc-1': { OWN: '1' } } });
    vi.unstubAllEnvs();
    const seen = async (index: number) => {
      const answer = await fetch(`${roles[index]?.url}/environment`, {
        headers: { 'x-topo-control': `control of ${roles[index]?.name}` },
      });
      return (await answer.json()) as { environment: NodeJS.ProcessEnv; args: string[] };
    };
    const first = await seen(1);
    expect(first.environment).toMatchObject({ OWN: '1', FROM_USER: 'yes' });
    expect(first.environment).not.toHaveProperty('NODE_OPTIONS');
    expect(first.environment).not.toHaveProperty('NODE_EXTRA_CA_CERTS');
    // A user-supplied service must not reach the database past its enforcement point.
    expect(first.environment).not.toHaveProperty('TOPO_BENCH_POSTGRES_URL');
    expect(first.args).toEqual(['service', 'node', 'svc-1']);
    expect((await seen(2)).environment).not.toHaveProperty('OWN');
  });

  test('leaves no process behind when it stops, not even one that ignores SIGTERM', async () => {
    const { stats, stop } = await bound({ env: { 'svc-1': { FIXTURE: 'ignores-sigterm' } } });
    const pids = await pidsOf({ stats });
    await stop();
    expect(pids.map(lives)).toEqual([false, false, false]);
    await stop();
  });

  async function bound(options: Options = {}) {
    const running = await start(undefined, options);
    return {
      stats: () => running.stats(),
      reset: () => running.reset(),
      spans: () => running.spans(),
      stop: () => running.stop(),
    };
  }
});

test('no more roles than the limit start at the same time', async () => {
  const starts = join(logsDir, 'starts');
  const documents = documentsOf(7);
  const env = Object.fromEntries(documents.roles.map(({ config }) => [config.name, { STARTS: starts }]));
  await start(documents, { concurrency: 2, env });
  let starting = 0;
  let most = 0;
  for (const line of (await readFile(starts, 'utf8')).split('\n').filter(Boolean)) {
    starting += line.startsWith('+') ? 1 : -1;
    most = Math.max(most, starting);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

describe('a role that dies', () => {
  test('is named with its exit code and last lines, to listeners of before and after', async () => {
    const running = await start();
    const role = running.roles[1] as Deployment['roles'][number];
    const heard = new Promise<{ error: TopoBenchError; name: string }>((resolve) => {
      running.onDeath((error, { name }) => resolve({ error, name }));
    });
    await fetch(`${role.url}/crash`, { headers: { 'x-topo-control': 'control of svc-1' } }).catch(() => {});
    const { error, name } = await heard;
    expect(name).toBe('svc-1');
    expect(error.code).toBe('TB_ROLE_DIED');
    expect(error.message).toContain('svc-1 ended with exit code 9');
    expect(error.message).toContain('| about to crash');
    const late = vi.fn();
    running.onDeath(late);
    expect(late).toHaveBeenCalledExactlyOnceWith(error, role);
    await expect(running.stats()).rejects.toBe(error);
  });

  test('by a signal is named with the signal, and the others live on until stop', async () => {
    const running = await start();
    const heard = new Promise<TopoBenchError>((resolve) => running.onDeath(resolve));
    const [, second, third] = await pidsOf(running);
    process.kill(third as number, 'SIGKILL');
    expect((await heard).message).toContain('svc-2 was ended by SIGKILL');
    expect(lives(second as number)).toBe(true);
  });

  test('is no death when it was stopped', async () => {
    const running = await start();
    const listener = vi.fn();
    running.onDeath(listener);
    await running.stop();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('a start that fails', () => {
  const all = (env: Record<string, string>, starts: string) =>
    Object.fromEntries(
      documentsOf(3).roles.map(({ config: { name } }) => [name, { STARTS: starts, ...(name === 'svc-3' ? env : {}) }]),
    );

  test.each([
    ['ends-at-once', 'TB_ROLE_DIED', /svc-3 ended with exit code 7\n {2}\| first line\n {2}\| second line: no rules/],
    ['babbles', 'TB_ROLE_NOT_READY', /svc-3 printed "Server listening at port 3000"/],
    ['sick', 'TB_ROLE_NO_ANSWER', /svc-3 .* GET \/health: status 500/],
  ])('because a role %s reports that and stops all others', async (fixture, code, message) => {
    const starts = join(logsDir, 'starts');
    const error = await failure(documentsOf(3), { env: all({ FIXTURE: fixture }, starts) });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    const pids = await pidsIn(starts);
    expect(pids).not.toEqual([]);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('because roles are not ready in time names them with their last lines', async () => {
    const starts = join(logsDir, 'starts');
    const error = await failure(documentsOf(3), { env: all({ FIXTURE: 'hangs' }, starts), readyTimeoutMs: 2000 });
    expect(error).toMatchObject({ code: 'TB_ROLE_NOT_READY', exitCode: 3 });
    expect(error.message).toMatch(/^1 of 4 roles were not ready within 2 s:\nsvc-3:\n {2}\| waiting for a database/);
    const pids = await pidsIn(starts);
    expect(pids).not.toEqual([]);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('because it is interrupted leaves nothing behind', async () => {
    const starts = join(logsDir, 'starts');
    const abort = new AbortController();
    const failed = failure(documentsOf(3), { env: all({ FIXTURE: 'hangs' }, starts), signal: abort.signal });
    await vi.waitFor(async () => expect(await pidsIn(starts)).toHaveLength(4), { timeout: 20_000 });
    abort.abort();
    expect((await failed).code).toBe('TB_INTERRUPTED');
    const pids = await pidsIn(starts);
    expect(pids).not.toEqual([]);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('because its port is taken reports that', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const { config, secrets } = roleDocuments('gateway', 'gateway');
    const taken = { config: { ...config, listen: { host: '127.0.0.1', port } }, secrets };
    const error = await failure(deploymentOf([taken]));
    blocker.close();
    expect(error).toMatchObject({ code: 'TB_ROLE_PORT_TAKEN', exitCode: 3 });
    expect(error.message).toContain('gateway');
  });

  test('because there is no such Node.js binary reports that', async () => {
    const runner = localRunner({ serviceEntry, nodeBinary: '/nowhere/node' });
    const error = await runner.start(planOf(1), () => documentsOf(1), { logsDir }).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'TB_RUNNER_CANNOT_START', exitCode: 3 });
    expect(error.message).toContain('/nowhere/node');
  });

  test('because its logs cannot be written reports that', async () => {
    const file = join(logsDir, 'file');
    await writeFile(file, '');
    const error = await failure(documentsOf(1), { logsDir: join(file, 'logs') });
    expect(error).toMatchObject({ code: 'TB_FILE_NOT_WRITABLE', exitCode: 3 });
    expect(existsSync(file)).toBe(true);
  });
});
