import { storeEngines } from '@topo-bench/core';
import { auth, Client } from 'cassandra-driver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createHeatMap,
  type HeatMap,
  type HeatMapEntry,
  type HeatMapRows,
  hasTransactions,
  openHeatMap,
  openReader,
  removeHeatMap,
} from '../src/heat-map/index.ts';
import type { SumsStore } from '../src/heat-map/owned-sums.ts';
import { listeningAddresses, loopbackAddresses } from './fixtures/listening-addresses.ts';
import { startServers, type TestServers } from './fixtures/test-servers.ts';

let servers: TestServers;

// Three of the servers are Java programs, which start in a minute on a loaded machine.
beforeAll(async () => {
  servers = await startServers(storeEngines);
}, 240_000);

afterAll(() => servers?.stop());

function rowsOf(entries: readonly HeatMapEntry[]): HeatMapRows {
  return {
    count: entries.length,
    cells: Float64Array.from(entries, ({ cell }) => cell),
    crossings: Float64Array.from(entries, ({ crossings }) => crossings),
    timesMs: Float64Array.from(entries, ({ timeMs }) => timeMs),
  };
}

const entry = (cell: number, crossings: number, timeMs: number): HeatMapEntry => ({ cell, crossings, timeMs });
/** Beyond 32 bits, as cells of seven and more characters are. */
const far = 2 ** 45 - 1;
const june = Date.UTC(2022, 5, 1);

describe.each(storeEngines)('a heat map on %s', (engine) => {
  let heatMap: HeatMap;
  let liveUrl: string;
  // SecantusDB takes 0.7 ms for a row, the others on a loaded machine as long.
  const isSlow = ['mongodb', 'cassandra', 'ignite', 'hbase'].includes(engine);
  const create = () => createHeatMap({ engine, url: servers.get(engine).url, name: `contract-${engine}` });
  const everything = () => heatMap.range(0, Number.MAX_SAFE_INTEGER);

  beforeAll(async () => {
    if (servers.missing(engine)) return;
    await reopen();
  });

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    skip(reason !== undefined, reason);
  });

  afterAll(() => heatMap?.close());

  const reopen = async (): Promise<void> => {
    liveUrl = await create();
    heatMap = await openHeatMap({ engine, url: liveUrl, connections: 4, timeoutMs: 20_000 });
  };

  const start = async (...entries: HeatMapEntry[]): Promise<void> => {
    await heatMap.close();
    await reopen();
    if (entries.length > 0) await heatMap.add(rowsOf(entries));
  };

  /** A single MongoDB server has none. */
  const canAddWithCheckpoint = () =>
    heatMap.add(rowsOf([]), { partition: 9, position: 1, state: '' }).then(
      () => true,
      () => false,
    );

  it('is kept by a server that other machines do not reach', ({ skip }) => {
    const addresses = listeningAddresses(servers.get(engine).pid as number);
    skip(addresses === undefined, 'this system has no /proc');
    expect(addresses).not.toEqual([]);
    expect(addresses?.filter((address) => !loopbackAddresses.includes(address))).toEqual([]);
  });

  it('is empty at first', async () => {
    await start();
    expect(await everything()).toEqual([]);
    expect([await heatMap.read(1), await heatMap.checkpoint(0)]).toEqual([undefined, undefined]);
    expect(await heatMap.readMany([1, 2])).toEqual([]);
  });

  it('adds crossings and keeps the later time', async () => {
    await start(entry(1, 2, june), entry(far, 3, june + 5000));
    await heatMap.add(rowsOf([entry(far, 4, june), entry(7, 1, june + 1), entry(1, 1, june + 9)]));
    expect(await everything()).toEqual([entry(7, 1, june + 1), entry(1, 3, june + 9), entry(far, 7, june + 5000)]);
  });

  it('reads one cell, and batches in the order of the request', async () => {
    await start(entry(1, 2, june), entry(far, 3, june + 1), entry(12, 4, june + 2));
    expect(await heatMap.read(far)).toEqual(entry(far, 3, june + 1));
    expect(await heatMap.readMany([12, 99, far, 12])).toEqual([
      entry(12, 4, june + 2),
      entry(far, 3, june + 1),
      entry(12, 4, june + 2),
    ]);
    expect(await heatMap.readMany([])).toEqual([]);
  });

  it('reads the cells of a map tile: hundreds in one batch, of which some do not exist', async () => {
    const tile = Array.from({ length: 400 }, (_, i) => far - 400 + i);
    const inside = tile.filter((cell) => cell % 3 !== 0).map((cell, i) => entry(cell, i + 1, june + i));
    await start(entry(far - 401, 1, june), ...inside, entry(far, 1, june));
    expect(await heatMap.readMany(tile)).toEqual(inside);
  });

  it('reads a whole heat map in pages, in the order of cells, if it is the source of copies, PostgreSQL', async () => {
    const entries = [3, far, 20, 7, 2 ** 33].map((cell, i) => entry(cell, i + 1, june - i));
    const inOrder = [...entries].sort((a, b) => a.cell - b.cell);
    await start(...entries);
    const reader = await openReader({ engine, url: liveUrl, timeoutMs: 20_000 });
    expect(reader !== undefined).toBe(engine === 'postgresql');
    if (!reader) return;
    try {
      expect(await reader.page(-1, 2)).toEqual(inOrder.slice(0, 2));
      expect(await reader.page(7, 2)).toEqual(inOrder.slice(2, 4));
      expect(await reader.page(far, 2)).toEqual([]);
      expect([await reader.cellAt(0), await reader.cellAt(4), await reader.cellAt(5)]).toEqual([3, far, undefined]);
    } finally {
      await reader.close();
    }
  });

  it('reads a range by time, its end excluded, in order of time and cell', async () => {
    await start(entry(20, 1, june), entry(3, 1, june + 10), entry(11, 1, june + 10), entry(2, 1, june + 20));
    expect(await heatMap.range(june, june + 20)).toEqual([
      entry(20, 1, june),
      entry(3, 1, june + 10),
      entry(11, 1, june + 10),
    ]);
    expect(await heatMap.range(june + 11, june + 20)).toEqual([]);
  });

  it('saves a checkpoint with rows and without', async () => {
    await start();
    const checkpoint = { partition: 1, position: 2 ** 33, state: `${'ab+/'.repeat(5000)}==` };
    await heatMap.add(rowsOf([entry(1, 1, june)]), checkpoint);
    expect([await heatMap.checkpoint(1), await heatMap.checkpoint(0)]).toEqual([checkpoint, undefined]);
    await heatMap.add(rowsOf([]), { partition: 1, position: 3, state: '' });
    await heatMap.saveCheckpoint({ partition: 0, position: 4, state: 'x  y z ' });
    expect(await heatMap.checkpoint(1)).toEqual({ partition: 1, position: 3, state: '' });
    expect(await heatMap.checkpoint(0)).toEqual({ partition: 0, position: 4, state: 'x  y z ' });
    expect(await everything()).toEqual([entry(1, 1, june)]);
  });

  it('writes neither rows nor a checkpoint when the checkpoint is rejected', async () => {
    await start(entry(1, 1, june));
    // No whole number: rejected by column types; the others check nothing.
    const checkpoint = { partition: 0, position: 'none' as unknown as number, state: '' };
    const isRejected = engine === 'postgresql' || engine === 'mysql';
    const added = heatMap.add(rowsOf([entry(1, 1, june), entry(2, 1, june)]), checkpoint).then(
      () => false,
      () => true,
    );
    expect(await added).toBe(isRejected);
    const [before, after] = [[entry(1, 1, june)], [entry(1, 2, june), entry(2, 1, june)]];
    expect(await everything()).toEqual(isRejected ? before : after);
    expect((await heatMap.checkpoint(0)) === undefined).toBe(isRejected);
  });

  it('reports whether its server saves rows and checkpoint together', async () => {
    await start();
    const { url } = servers.get(engine);
    expect(await hasTransactions({ engine, url })).toBe(await canAddWithCheckpoint());
  });

  it('adds batches of several writers, also for the same cells', async () => {
    await start();
    const cells = Array.from({ length: 300 }, (_, i) => 1000 + i * 7);
    const batch = (offset: number) =>
      rowsOf(cells.map((_, i) => entry(cells[(i * 11 + offset) % cells.length]!, 1, june + offset)));
    for (let round = 0; round < 3; round++) await Promise.all([0, 1, 2, 3].map((writer) => heatMap.add(batch(writer))));
    const entries = await everything();
    expect(entries.map(({ cell }) => cell)).toEqual(cells);
    expect(new Set(entries.map(({ crossings, timeMs }) => `${crossings} ${timeMs - june}`))).toEqual(new Set(['12 3']));
  });

  it('accepts writes of the last owner of a partition alone, and shows it what earlier ones wrote', async () => {
    await start();
    const first = await heatMap.claim(1);
    expect(first.checkpoint).toBeUndefined();
    expect(await heatMap.checkpoint(1)).toBeUndefined();
    const saved = { partition: 1, position: 10, state: 'a' };
    const mayAdd = engine !== 'mongodb' || (await canAddWithCheckpoint());
    if (mayAdd) await heatMap.add(rowsOf([entry(1, 1, june)]), { ...saved, owner: first.owner });
    else await heatMap.saveCheckpoint({ ...saved, owner: first.owner });
    // An equal one again, as at the end of a job.
    await heatMap.saveCheckpoint({ ...saved, owner: first.owner });
    const second = await heatMap.claim(1);
    expect(second).toEqual({ owner: first.owner + 1, checkpoint: saved });
    const late = { partition: 1, position: 20, state: 'b', owner: first.owner };
    const claimed = { code: 'TB_STORE_CLAIMED', message: expect.stringContaining('partition 1 ') };
    await expect(heatMap.saveCheckpoint(late)).rejects.toMatchObject(claimed);
    if (mayAdd) {
      await expect(heatMap.add(rowsOf([entry(1, 5, june), entry(2, 5, june)]), late)).rejects.toMatchObject(claimed);
      expect(await everything()).toEqual([entry(1, 1, june)]);
      await heatMap.add(rowsOf([]), { ...late, owner: second.owner });
      expect(await heatMap.checkpoint(1)).toEqual({ partition: 1, position: 20, state: 'b' });
    }
    // Nor may an owner write whose claim is unknown, as on a heat map that has been replaced.
    const unknown = { ...late, owner: second.owner + 1 };
    await expect(heatMap.saveCheckpoint(unknown)).rejects.toMatchObject(claimed);
    // Other partitions are free.
    expect((await heatMap.claim(0)).owner).toBe(1);
  });

  it('reports its size, which grows with its entries', async () => {
    await start(entry(1, 1, june));
    const small = await heatMap.storageBytes();
    const count = isSlow ? 1500 : 5000;
    await heatMap.add(rowsOf(Array.from({ length: count }, (_, i) => entry(i + 10, 1, june))));
    expect(await heatMap.storageBytes()).toBeGreaterThan(small + count * 16);
  });

  it('can be removed, also when it does not exist', async () => {
    const name = `removed-${engine}`;
    const server = { engine, url: servers.get(engine).url, name };
    const live = await openHeatMap({ engine, url: await createHeatMap(server), connections: 1, timeoutMs: 20_000 });
    await live.add(rowsOf([entry(1, 1, june)]), { partition: 0, position: 1, state: '' });
    await live.close();
    await removeHeatMap(server);
    await removeHeatMap(server);
    const again = await openHeatMap({ engine, url: await createHeatMap(server), connections: 1, timeoutMs: 20_000 });
    expect([await again.read(1), await again.checkpoint(0)]).toEqual([undefined, undefined]);
    await again.close();
    await removeHeatMap(server);
  });

  it('adds thousands of rows at once', async () => {
    await start();
    const entries = Array.from({ length: isSlow ? 1500 : 15_000 }, (_, i) => entry(i * 1000, i + 1, june + i));
    await heatMap.add(rowsOf(entries));
    expect(await everything()).toEqual(entries);
  });
});

describe('a heat map on cassandra after a death', () => {
  it('has the rows of a job that died after it saved their checkpoint, once the next job claims it', async ({
    skip,
  }) => {
    const reason = servers.missing('cassandra');
    skip(reason !== undefined, reason);
    const url = await createHeatMap({ engine: 'cassandra', url: servers.get('cassandra').url, name: 'died' });
    const { host, pathname, username, password } = new URL(url);
    const client = new Client({
      contactPoints: [host],
      keyspace: pathname.slice(1),
      localDataCenter: 'datacenter1',
      authProvider: new auth.PlainTextAuthProvider(username, password),
    });
    const open = () => openHeatMap({ engine: 'cassandra', url, connections: 1, timeoutMs: 20_000 });
    const [first, second] = [await open(), await open()];
    try {
      const { owner } = await first.claim(1);
      await first.add(rowsOf([entry(1, 2, june), entry(far, 1, june)]), {
        partition: 1,
        position: 5,
        state: 'a',
        owner,
      });
      // As the first job would save it: sums of the cells, before their rows are written.
      const pending = Buffer.from(Float64Array.of(1, 9, june + 7, 3, 1, june).buffer);
      await client.execute(
        `UPDATE checkpoints SET sequence = 2, position = 10, state = 'b', pending = ? WHERE partition = 1 IF owner = ?`,
        [pending, owner],
        { prepare: true },
      );
      expect(await second.read(1)).toEqual(entry(1, 2, june));
      expect(await second.claim(1)).toEqual({
        owner: owner + 1,
        checkpoint: { partition: 1, position: 10, state: 'b' },
      });
      expect(await second.range(0, june * 2)).toEqual([entry(3, 1, june), entry(far, 1, june), entry(1, 9, june + 7)]);
      // Its own connection has not seen the claim: only the server can refuse this.
      const late = first.add(rowsOf([entry(1, 5, june)]), { partition: 1, position: 12, state: '', owner });
      await expect(late).rejects.toMatchObject({ code: 'TB_STORE_CLAIMED' });
      // The next owner adds to what it found.
      await second.add(rowsOf([entry(1, 1, june)]), { partition: 1, position: 11, state: 'c', owner: owner + 1 });
      expect(await second.read(1)).toEqual(entry(1, 10, june + 7));
    } finally {
      await Promise.all([first.close(), second.close(), client.shutdown()]);
    }
  });
});

describe('a heat map on ignite that is created again', () => {
  it('rejects writes of a job on the earlier one, whose owners and epochs have the same numbers', async ({ skip }) => {
    const reason = servers.missing('ignite');
    skip(reason !== undefined, reason);
    const server = { engine: 'ignite', url: servers.get('ignite').url, name: 'again' } as const;
    const open = async () =>
      openHeatMap({ engine: 'ignite', url: await createHeatMap(server), connections: 1, timeoutMs: 20_000 });
    const earlier = await open();
    const { owner } = await earlier.claim(0);
    const now = await open();
    try {
      expect(await now.claim(0)).toEqual({ owner, checkpoint: undefined });
      const checkpoint = { partition: 0, position: 5, state: 'a', owner };
      const late = { code: 'TB_STORE_UNAVAILABLE', message: expect.stringContaining('does not exist any more') };
      await expect(earlier.add(rowsOf([entry(7, 2, june)]), checkpoint)).rejects.toMatchObject(late);
      await now.add(rowsOf([entry(7, 5, june)]), checkpoint);
      await expect(earlier.add(rowsOf([entry(7, 2, june)]), checkpoint)).rejects.toMatchObject(late);
      // Rows of an earlier epoch that arrive after those of the new one.
      await expect((earlier as unknown as SumsStore).write('0/1', [entry(7, 2, june)])).rejects.toMatchObject(late);
      expect(await now.read(7)).toEqual(entry(7, 5, june));
    } finally {
      await Promise.all([earlier.close(), now.close()]);
      await removeHeatMap(server);
    }
  });
});
