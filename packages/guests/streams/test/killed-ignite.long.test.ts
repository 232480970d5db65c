/** Jobs whose Ignite node is killed and restarted: with data on disk, as a user may have it, and in memory. */
import { createHeatMap, type HeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { missingIgnite, startIgniteOnDisk } from '../../stores/test/fixtures/ignite-on-disk.ts';
import { startServers } from '../../stores/test/fixtures/test-servers.ts';
import { runJob } from '../src/index.ts';
import { killedJob, killedJobCells, positionIn, reached } from './fixtures/job-process.ts';

// Each test starts a node twice.
vi.setConfig({ testTimeout: 240_000 });

const ends: (() => Promise<void>)[] = [];

beforeEach(async ({ skip }) => {
  const reason = await missingIgnite();
  skip(reason !== undefined, reason);
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function opened(url: string): Promise<HeatMap> {
  const heatMap = await openHeatMap({ engine: 'ignite', url, connections: 2, timeoutMs: 20_000 });
  ends.push(() => heatMap.close());
  return heatMap;
}

async function cellsOf(heatMap: HeatMap) {
  const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
  return new Map(entries.map(({ cell, crossings, timeMs }) => [cell, { crossings, timeMs }]));
}

/** Kills the node in the middle of a job. @returns how the job ended */
async function killedAt500(heatMap: HeatMap, kill: () => unknown): Promise<string> {
  const ended = runJob({ ...killedJob('exactly-once'), sink: heatMap }).then(
    () => 'ended',
    ({ code }) => code as string,
  );
  await reached(heatMap, 500, ended);
  await kill();
  return ended;
}

it('a job neither loses nor repeats crossings when its Ignite node with data on disk is killed', async () => {
  const node = await startIgniteOnDisk();
  ends.push(() => node.stop());
  const url = await createHeatMap({ engine: 'ignite', url: node.url, name: 'streams-killed' });
  expect(await killedAt500(await opened(url), () => node.kill())).toBe('TB_STORE_UNAVAILABLE');
  await node.start();
  const heatMap = await opened(url);
  expect(await positionIn(heatMap)).toBeGreaterThanOrEqual(500);
  expect(await positionIn(heatMap)).toBeLessThan(4000);
  await runJob({ ...killedJob('exactly-once'), timesUs: undefined, sink: heatMap });
  expect(await cellsOf(heatMap)).toEqual(killedJobCells());
});

it('a job on an Ignite node in memory ends when the node is killed, and starts again on a new heat map', async () => {
  const servers = await startServers(['ignite']);
  ends.push(() => servers.stop());
  const server = servers.get('ignite');
  const create = () => createHeatMap({ engine: 'ignite', url: server.url, name: 'streams-killed' });
  const died = new Promise<void>((resolve) => {
    server.onDeath = () => resolve();
  });
  const url = await create();
  const kill = () => process.kill(server.pid as number, 'SIGKILL');
  expect(await killedAt500(await opened(url), kill)).toBe('TB_STORE_UNAVAILABLE');
  await died;
  await server.restart();
  const resumed = runJob({ ...killedJob('exactly-once'), timesUs: undefined, sink: await opened(url) });
  await expect(resumed).rejects.toMatchObject({
    code: 'TB_STORE_UNAVAILABLE',
    message: expect.stringContaining('does not exist any more on its server'),
  });
  const heatMap = await opened(await create());
  await runJob({ ...killedJob('exactly-once'), timesUs: undefined, sink: heatMap });
  expect(await cellsOf(heatMap)).toEqual(killedJobCells());
});
