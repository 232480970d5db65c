import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import pg from 'pg';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
}, 60_000);
afterAll(async () => {
  await service?.close();
  await server?.stop();
});

it('a store killed during writes loses none of ten thousand acknowledged items, and recovers', async () => {
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
  const writing = Array.from({ length: clients }, client);
  while (acknowledged.length < wanted) await sleep(10);

  const died = new Promise((resolve) => (server.onDeath = resolve));
  // In the midst of writes, with all its workers: nothing of the server gets to finish anything.
  for (const pid of treeOf(server.pid as number)) process.kill(pid, 'SIGKILL');
  await died;
  while (errors.size === 0) await sleep(5);
  const atDeath = acknowledged.length;
  await server.restart();
  while (acknowledged.length < atDeath + 500) await sleep(10);
  running = false;
  await Promise.all(writing);
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
}, 180_000);

/** A process with its children. */
function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [pid, ...children];
}
