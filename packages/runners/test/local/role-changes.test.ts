import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProcessStat } from '@topo-bench/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localRunner } from '../../src/local/runner.ts';
import type { Deployment, ProcessChange } from '../../src/runner.ts';
import { documentsOf, planOf } from '../fixtures/role-documents.ts';

const serviceEntry = fileURLToPath(new URL('../fixtures/role-entry.mjs', import.meta.url));
let logsDir: string;
let deployment: Deployment;
let deaths: string[];

beforeEach(async () => {
  logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-changes-'));
  deployment = await localRunner({ serviceEntry }).start(planOf(2), () => documentsOf(2), { logsDir });
  deaths = [];
  deployment.onDeath((_, { name }) => deaths.push(name));
});
afterEach(async () => {
  await deployment.stop();
  await rm(logsDir, { recursive: true, force: true });
});

const apply = (kind: ProcessChange['kind'], role = 'svc-1') =>
  deployment.apply({ kind, role }, new AbortController().signal);
const url = () => deployment.roles[1]?.url as string;
/** Process ids by role, as the fixture adds them to its counters. */
const pids = async () =>
  Object.fromEntries(
    ((await deployment.stats()) as unknown as { name: string; pid: number }[]).map((r) => [r.name, r.pid]),
  );
const stateOf = (pid: number) => readProcessStat(pid)?.state ?? 'gone';

test('a killed role refuses connections, answers no questions, and is no death', async () => {
  const before = await pids();
  await apply('kill');
  await expect(fetch(`${url()}/health`)).rejects.toThrow();
  expect(Object.keys(await pids())).toEqual(['gateway', 'svc-2']);
  expect(stateOf(before['svc-1'] as number)).toBe('gone');
  expect(deaths).toEqual([]);
});

test('a restarted role is another process under the address of before, and a later death is one', async () => {
  const before = await pids();
  await apply('kill');
  await apply('restart');
  expect(await (await fetch(`${url()}/health`)).json()).toEqual({ name: 'svc-1', kind: 'service' });
  const after = await pids();
  expect(after['svc-1']).not.toBe(before['svc-1']);
  expect(after['svc-2']).toBe(before['svc-2']);
  process.kill(after['svc-1'] as number, 'SIGKILL');
  await expect.poll(() => deaths).toEqual(['svc-1']);
});

test('CPU time of a role includes that of the process that was killed', async () => {
  const cpuUs = async () => (await deployment.usage())[1]?.process?.cpuUs ?? 0;
  const before = await cpuUs();
  await apply('kill');
  const down = await cpuUs();
  await apply('restart');
  expect(down).toBeGreaterThanOrEqual(before);
  expect(await cpuUs()).toBeGreaterThan(down);
});

test('a frozen role is stopped, keeps its connections, and answers when it is thawed', async () => {
  const before = await pids();
  const pid = before['svc-1'] as number;
  await apply('freeze');
  expect(stateOf(pid)).toBe('T');
  const answer = fetch(`${url()}/health`);
  await apply('thaw');
  expect((await answer).status).toBe(200);
  expect(await pids()).toEqual(before);
});

test('no process is left by a stop while one role is frozen, and one is down', async () => {
  const before = await pids();
  await apply('freeze', 'svc-1');
  await apply('kill', 'svc-2');
  await deployment.stop();
  expect(Object.values(before).map(stateOf)).toEqual(['gone', 'gone', 'gone']);
});

test('no process is left by a stop during a restart', async () => {
  await apply('kill');
  const restart = apply('restart').catch((error: Error) => error.message);
  await deployment.stop();
  await restart;
  await expect(fetch(`${url()}/health`)).rejects.toThrow();
});
