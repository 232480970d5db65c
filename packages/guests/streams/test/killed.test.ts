/** Jobs whose process is killed: what the store then has, and after the job was resumed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StoreEngine } from '@topo-bench/core';
import { createHeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OwnServers, startServers } from '../../stores/test/fixtures/test-servers.ts';
import { guarantees, runJob } from '../src/index.ts';
import { killedJob, killedJobCells, positionIn, reached } from './fixtures/job-process.ts';

const engines = ['postgresql', 'redis'] as const satisfies readonly StoreEngine[];
/** The second one during the replay after the first. */
const kills = { 'at-least-once': 1, 'exactly-once': 2 };

let servers: OwnServers;
let child: ChildProcess | undefined;

beforeAll(async () => {
  servers = await startServers(engines);
});

afterEach(() => child?.kill('SIGKILL'));
afterAll(() => servers?.stop());

describe.each(engines)('a job on %s', (engine) => {
  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    skip(reason !== undefined, reason);
  });

  it.each(guarantees)('keeps its guarantee %s when its process is killed', async (guarantee) => {
    const url = await createHeatMap({ engine, url: servers.get(engine).url, name: 'streams-killed' });
    const heatMap = await openHeatMap({ engine, url, connections: 2, timeoutMs: 20_000 });
    try {
      for (let kill = 0; kill < kills[guarantee]; kill++) {
        const before = await positionIn(heatMap);
        const script = fileURLToPath(new URL('fixtures/job-process.ts', import.meta.url));
        child = fork(script, [engine, url, guarantee], { execArgv: ['--import', 'tsx'], stdio: 'inherit' });
        const ended = once(child, 'exit');
        await reached(heatMap, before + 1, ended);
        child.kill('SIGKILL');
        await ended;
      }
      // Killed in the middle of its points.
      const position = await positionIn(heatMap);
      expect(position).toBeGreaterThan(0);
      expect(position).toBeLessThan(4000);
      await runJob({ ...killedJob(guarantee), timesUs: undefined, sink: heatMap });

      const cells = killedJobCells();
      const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
      const found = new Map(entries.map(({ cell, crossings, timeMs }) => [cell, { crossings, timeMs }]));
      expect(new Set(found.keys())).toEqual(new Set(cells.keys()));
      const surplus = [...cells].map(([cell, { crossings }]) => found.get(cell)!.crossings - crossings);
      expect(Math.min(...surplus)).toBeGreaterThanOrEqual(0);
      // At least once: after the one kill each point may have been added again, but only once.
      const again = [...cells].map(([, { crossings }]) => (guarantee === 'exactly-once' ? 0 : crossings));
      expect(surplus.filter((added, at) => added > (again[at] ?? 0))).toEqual([]);
      const timeOf = ([cell, { timeMs }]: [number, { timeMs: number }]) => [cell, timeMs] as const;
      expect(new Map([...found].map(timeOf))).toEqual(new Map([...cells].map(timeOf)));
    } finally {
      await heatMap.close();
    }
  });
});

it('a job neither loses nor repeats crossings when its PostgreSQL server is killed and restarted', async ({ skip }) => {
  const reason = servers.missing('postgresql');
  skip(reason !== undefined, reason);
  const server = servers.get('postgresql');
  const url = await createHeatMap({ engine: 'postgresql', url: server.url, name: 'streams-server-killed' });
  const open = () => openHeatMap({ engine: 'postgresql', url, connections: 2, timeoutMs: 20_000 });
  const first = await open();
  const died = new Promise<void>((resolve) => {
    server.onDeath = () => resolve();
  });
  const ended = runJob({ ...killedJob('exactly-once'), sink: first }).then(
    () => 'ended',
    ({ code }) => code,
  );
  await reached(first, 500, ended);
  process.kill(server.pid as number, 'SIGKILL');
  expect(await ended).toBe('TB_STORE_UNAVAILABLE');
  await died;
  await first.close();
  await server.restart();
  const heatMap = await open();
  try {
    expect(await positionIn(heatMap)).toBeLessThan(4000);
    await runJob({ ...killedJob('exactly-once'), timesUs: undefined, sink: heatMap });
    const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
    const found = new Map(entries.map(({ cell, crossings, timeMs }) => [cell, { crossings, timeMs }]));
    expect(found).toEqual(killedJobCells());
  } finally {
    await heatMap.close();
  }
});
