/** Files of thousands of columns: time and memory grow with the columns, and not with their square. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Field, Int32, Schema } from 'apache-arrow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchOfRows, loadTable, openSource } from '../../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-wide-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns the file and its two rows */
async function written(columns: number): Promise<{ file: string; rows: Record<string, number>[] }> {
  const names = Array.from({ length: columns }, (_, n) => `c${n}`);
  const schema = new Schema(names.map((name) => new Field(name, new Int32(), true)));
  const rows = [1, 2].map((row) => Object.fromEntries(names.map((name, n) => [name, n * row])));
  const file = join(folder, `${columns}.parquet`);
  await loadTable({ kind: 'parquet', file }, { schema, batches: () => [batchOfRows(schema, rows)] });
  return { file, rows };
}

interface Cost {
  cpuMs: number;
  heapMiB: number;
}

async function costOf(columns: number, path: 'rows' | 'columns'): Promise<Cost> {
  const { file, rows } = await written(columns);
  const [begin, before] = [process.cpuUsage(), process.memoryUsage().heapUsed];
  const source = await openSource({ kind: 'parquet', file });
  const read: unknown[] = [];
  if (path === 'rows') for await (const batch of source.rows({ batchRows: 10 })) read.push(...batch);
  else
    for await (const batch of source.columns({ batchRows: 10, connections: 1 }))
      read.push(...batch.toArray().map((row) => row?.toJSON()));
  const heapMiB = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  const { user, system } = process.cpuUsage(begin);
  await source.close();
  expect(read).toEqual(rows);
  return { cpuMs: (user + system) / 1000, heapMiB };
}

it.each(['rows', 'columns'] as const)('ten times the columns cost at most 30 times as much by %s', async (path) => {
  // Code is compiled before.
  await costOf(300, path);
  const [few, many] = [await costOf(300, path), await costOf(3000, path)];
  // With the square of the columns it is 100 times.
  expect(many.cpuMs / few.cpuMs).toBeLessThan(30);
  expect(many.heapMiB).toBeLessThan(400);
});
