import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import pg from 'pg';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type ItemService, startItemService } from './item-service.ts';

/** Acknowledged before the store is killed. */
const wanted = 10_000;
const clients = 50;

let server: StoreServer;
let service: ItemService;
beforeAll(async () => {
  server = await startServer({ engine: 'postgresql' });
  const store = { configuration: 'sql-indexed', engine: 'postgresql' } as const;
  service = await startItemService({
    ...store,
    framework: 'node',
    serverUrl: server.url,
    persistence: { timeout: '5s' },
  });
});
afterAll(async () => {
  await service?.close();
  await server?.stop();
});

it('a store killed during writes loses none of ten thousand acknowledged items, and recovers', {
  timeout: 120_000,
}, async () => {
  const pool = new Pool(service.url, { connections: clients });
  const acknowledged: string[] = [];
  const errors = new Map<number, number>();
  let [number, running] = [0, true];
  const client = async (): Promise<void> => {
    while (running) {
      const id = `k-${number++}`;
      const body = JSON.stringify({ id, customer: 'ann', status: 'open', totalCents: number });
      const answer = await pool.request({
        path: '/items',
        method: 'POST',
        headers: { 'content-type': 'application/json', ...service.clientHeaders },
        body,
      });
      await answer.body.dump();
      if (answer.statusCode === 201) acknowledged.push(id);
      else errors.set(answer.statusCode, (errors.get(answer.statusCode) ?? 0) + 1);
    }
  };
  const writing = Promise.all(Array.from({ length: clients }, client));
  let failed: unknown;
  writing.catch((error) => {
    failed = error;
  });
  const until = async (what: string, condition: () => boolean): Promise<void> => {
    const endMs = performance.now() + 50_000;
    while (!condition()) {
      const seen = `${acknowledged.length} acknowledged, refused by status: ${JSON.stringify([...errors])}`;
      if (failed || performance.now() > endMs) throw new Error(`${what}: not within 50 s; ${seen}`, { cause: failed });
      await sleep(5);
    }
  };
  onTestFinished(() => {
    running = false;
  });
  await until('ten thousand items acknowledged', () => acknowledged.length >= wanted);

  const died = new Promise((resolve) => (server.onDeath = resolve));
  // In the midst of writes, with all its workers: nothing of the server gets to finish anything.
  for (const pid of treeOf(server.pid as number)) kill(pid);
  await died;
  await until('a request refused', () => errors.size > 0);
  const atDeath = acknowledged.length;
  await server.restart();
  await until('500 items acknowledged after the restart', () => acknowledged.length >= atDeath + 500);
  running = false;
  await writing;
  await pool.close();

  expect([...errors.keys()]).toEqual([503]);
  const database = new pg.Client({ connectionString: service.storeUrl });
  await database.connect();
  const lost =
    'SELECT id FROM unnest($1::text[]) AS said(id) WHERE NOT EXISTS (SELECT FROM items WHERE items.id = said.id)';
  const { rows } = await database.query(lost, [acknowledged]);
  await database.end();
  expect(rows).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(wanted + 500);
});

/** Children of a killed server also end by themselves. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** A process with its children. */
function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [pid, ...children];
}
