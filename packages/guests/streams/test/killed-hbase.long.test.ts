/** Jobs on one HBase cluster: their process is killed, then a part of the cluster, and then the whole of it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createHeatMap, type HeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { childrenOf } from '../../../host/test/fixtures/processes.ts';
import { type OwnServers, startServers } from '../../stores/test/fixtures/test-servers.ts';
import { runJob } from '../src/index.ts';
import { killedJob, killedJobCells, positionIn, reached } from './fixtures/job-process.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let servers: OwnServers;
let child: ChildProcess | undefined;
const opened: HeatMap[] = [];

beforeAll(async () => {
  servers = await startServers(['hbase']);
});

beforeEach(({ skip }) => {
  const reason = servers.missing('hbase');
  skip(reason !== undefined, reason);
});

afterEach(async () => {
  child?.kill('SIGKILL');
  for (const heatMap of opened.splice(0)) await heatMap.close();
});

afterAll(() => servers?.stop());

const created = () => createHeatMap({ engine: 'hbase', url: servers.get('hbase').url, name: 'streams-killed' });

async function open(url: string): Promise<HeatMap> {
  const heatMap = await openHeatMap({ engine: 'hbase', url, connections: 2, timeoutMs: 20_000 });
  opened.push(heatMap);
  return heatMap;
}

async function cellsOf(heatMap: HeatMap) {
  const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
  return new Map(entries.map(({ cell, crossings, timeMs }) => [cell, { crossings, timeMs }]));
}

it('a job on HBase neither loses nor repeats crossings when its process is killed twice', async () => {
  const url = await created();
  const heatMap = await open(url);
  const script = fileURLToPath(new URL('fixtures/job-process.ts', import.meta.url));
  for (let kill = 0; kill < 2; kill++) {
    const before = await positionIn(heatMap);
    child = fork(script, ['hbase', url, 'exactly-once'], { execArgv: ['--import', 'tsx'], stdio: 'inherit' });
    const ended = once(child, 'exit');
    await reached(heatMap, before + 1, ended);
    child.kill('SIGKILL');
    await ended;
  }
  expect(await positionIn(heatMap)).toBeLessThan(4000);
  await runJob({ ...killedJob('exactly-once'), timesUs: undefined, sink: heatMap });
  expect(await cellsOf(heatMap)).toEqual(killedJobCells());
});

it('a job on HBase neither loses nor repeats crossings when a process of the cluster is killed', async () => {
  const server = servers.get('hbase');
  const url = await created();
  for (const victim of [
    // The REST server, a child of the shell that the cluster has started.
    () => childrenOf(childrenOf(server.pid as number)[0] as number)[0],
    () => server.pid,
  ]) {
    const heatMap = await open(url);
    const died = new Promise<void>((resolve) => {
      server.onDeath = () => resolve();
    });
    const before = await positionIn(heatMap);
    const ended = runJob({ ...killedJob('exactly-once'), sink: heatMap }).then(
      () => 'ended',
      ({ code }) => code as string,
    );
    await reached(heatMap, before + 400, ended);
    process.kill(victim() as number, 'SIGKILL');
    expect(await ended).toBe('TB_STORE_UNAVAILABLE');
    await died;
    await server.restart();
    // What was acknowledged is there.
    expect(await positionIn(await open(url))).toBeGreaterThanOrEqual(before + 400);
  }
  const heatMap = await open(url);
  expect(await positionIn(heatMap)).toBeLessThan(4000);
  await runJob({ ...killedJob('exactly-once'), timesUs: undefined, sink: heatMap });
  expect(await cellsOf(heatMap)).toEqual(killedJobCells());
});
