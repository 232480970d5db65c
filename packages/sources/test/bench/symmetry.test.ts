/**
 * All sides of bench:access are treated alike: the table is open before the clock starts, every side reads all of it
 * meanwhile, is warmed by the reads that are timed, and has the same priority.
 */
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { storeSalesColumns } from '@topo-bench/workload/store-sales';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type MeteredServer, meteredServer, type Traffic } from '../../../streams/test/fixtures/metered-server.ts';
import { comparisons } from '../../bench/comparisons.ts';
import { measureTurns, readWhole, startTurns, type Turns, warmUpRounds } from '../../bench/turns.ts';
import { loadTable, type SourceKind, type SourceTable, storeSalesData } from '../../src/index.ts';
import { kinds, startStores, type TestStores } from '../fixtures/test-stores.ts';

const rows = 3000;
const columns = storeSalesColumns.map(({ name }) => name);
let stores: TestStores;
let turns: Turns | undefined;
let meter: MeteredServer | undefined;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

/** What a side did in one read. */
interface Read {
  name: string;
  /** Between the readings of the clock. */
  traffic: Traffic;
  /** Scheduling class and nice value of the process. */
  priority: string;
}

/** Every side twice, on a table behind a meter; a file cannot be opened while the clock runs. */
async function readAll(kind: SourceKind): Promise<{ reads: Read[]; names: string[] }> {
  const own = stores.table(kind, 'store_sales');
  await loadTable(own, storeSalesData({ rows, seed: 1 }));
  const trafficNow = (): Traffic => meter?.traffic() ?? { connections: 0, sentBytes: 0, receivedBytes: 0 };
  try {
    meter = 'url' in own ? await meteredServer(own.url) : undefined;
    const table: SourceTable = 'url' in own && meter ? { ...own, url: meter.url } : own;
    turns = await startTurns(comparisons[kind].sides);
    const reads: Read[] = [];
    for (const turn of [...turns.turns, ...turns.turns]) {
      let before = trafficNow();
      await readWhole(
        turn,
        { table, rows, columns },
        {
          opened: () => {
            before = trafficNow();
            if ('file' in own) renameSync(own.file, `${own.file}.away`);
          },
          done: () => {
            const after = trafficNow();
            const traffic = {
              connections: after.connections - before.connections,
              sentBytes: after.sentBytes - before.sentBytes,
              receivedBytes: after.receivedBytes - before.receivedBytes,
            };
            reads.push({ name: turn.side.name, traffic, priority: priorityOf(turn.reader.pid) });
            if ('file' in own) renameSync(`${own.file}.away`, own.file);
          },
        },
      );
    }
    return { reads, names: turns.turns.map(({ side }) => side.name) };
  } finally {
    await turns?.stop();
    await meter?.stop();
  }
}

/** Fields 19 and 41 of a thread's stat, of all threads that differ. */
function priorityOf(pid: number): string {
  const of = (thread: string): string => {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return `nice ${fields[16]}, policy ${fields[38]}`;
  };
  return [...new Set(readdirSync(`/proc/${pid}/task`).map(of))].join('; ');
}

const bytesOf = (reads: readonly Read[], name: string): number[] =>
  reads.filter((read) => read.name === name).map(({ traffic }) => traffic.receivedBytes);

describe.each(kinds)('%s', (kind) => {
  it('is read whole by every side inside the clock, once it is open', { timeout: 120_000 }, async (context) => {
    const missing = stores.missing(kind);
    if (missing) context.skip(missing);
    const { reads, names } = await readAll(kind);
    expect(names[0]).toBe('columns');
    expect(reads.map(({ name }) => name)).toEqual([...names, ...names]);
    for (const { name, traffic } of reads) {
      expect([name, traffic.connections]).toEqual([name, name === 'columns, 2 connections' ? 1 : 0]);
    }
    expect(new Set(reads.map(({ priority }) => priority)).size).toBe(1);
    const first = bytesOf(reads, 'columns')[0] ?? 0;
    // A file sends nothing; a row of 23 numbers on the wire has more than 100 bytes.
    expect(first >= 100 * rows).toBe(kind !== 'parquet');
    // Sides that end with the same form of the data read the same bytes.
    const alike = {
      postgresql: ['columns', 'columns, 2 connections', 'COPY undecoded', 'pg-copy-streams undecoded', 'ADBC'],
      mongodb: ['columns', 'mongodb documents'],
      parquet: names,
    }[kind].filter((name) => names.includes(name));
    const received = alike.flatMap((name) => bytesOf(reads, name));
    expect(received.length).toBeGreaterThan(2);
    for (const bytes of received) {
      expect(bytes).toBeGreaterThanOrEqual(0.97 * first);
      expect(bytes).toBeLessThanOrEqual(1.03 * first);
    }
    const recorded = names.filter((name) => name.endsWith('recorded'));
    expect(recorded.flatMap((name) => bytesOf(reads, name).filter((bytes) => bytes > 0))).toEqual([]);
  });
});

test('every side is warmed by as many reads, and read once in every round', async () => {
  const turns = ['a', 'b', 'c'].map((name) => ({ name, rates: [] as number[] }));
  const order: string[] = [];
  const rounds = await measureTurns(turns, 7, async ({ name }) => order.push(name));
  expect(rounds).toBe(12);
  expect(order).toHaveLength(3 * (warmUpRounds + rounds));
  for (let at = 0; at < order.length; at += 3) expect(order.slice(at, at + 3).sort()).toEqual(['a', 'b', 'c']);
  expect(turns.map(({ rates }) => rates.length)).toEqual([12, 12, 12]);
  expect(Math.min(...turns.flatMap(({ rates }) => rates))).toBeGreaterThan(3 * warmUpRounds);
});
