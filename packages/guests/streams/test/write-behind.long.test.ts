/** Heat maps behind a Hazelcast grid, and what is lost when the grid is killed before a flush. */
import { monotonicClock } from '@topo-bench/core';
import { connectGrid } from '@topo-bench/stores/hazelcast/grid';
import { openWriteBehind, type WriteBehindHeatMap } from '@topo-bench/stores/hazelcast/write-behind';
import { createHeatMap, type HeatMap, type HeatMapRows, openHeatMap } from '@topo-bench/stores/heat-map';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HazelcastMember, missingHazelcast, startHazelcast } from '../../stores/test/fixtures/hazelcast-member.ts';
import { type OwnServers, startServers } from '../../stores/test/fixtures/test-servers.ts';
import { gpsSource, pauseOnTimers, runJob, type Sink, type StreamJob } from '../src/index.ts';
import { cyclingTrips } from '../src/tracks/cycling-trips.ts';
import { geohashCell, geohashScale } from '../src/tracks/geohash.ts';
import { expectedHeatMap } from './fixtures/heat-map-oracle.ts';

const engine = 'postgresql';
const never = 1e8;
const june = Date.UTC(2022, 5, 1);
const missing = missingHazelcast();

let servers: OwnServers;
let member: HazelcastMember;
let url: string;
let behind: WriteBehindHeatMap;
/** The database without the grid. */
let database: HeatMap;

const openDatabase = () => openHeatMap({ engine, url, connections: 4, timeoutMs: 20_000 });
const open = async (flushMs = never, heatMap?: HeatMap) => {
  const options = { gridUrl: member.url, name: 'test', flushMs, timeoutMs: 20_000 };
  return openWriteBehind({ heatMap: heatMap ?? (await openDatabase()), ...options });
};
const row = (cell: number, crossings: number, timeMs = june): HeatMapRows => ({
  count: 1,
  cells: Float64Array.of(cell),
  crossings: Float64Array.of(crossings),
  timesMs: Float64Array.of(timeMs),
});
const everything = (heatMap: HeatMap) => heatMap.range(0, Number.MAX_SAFE_INTEGER);
const totalOf = async (heatMap: HeatMap) =>
  (await everything(heatMap)).reduce((total, { crossings }) => total + crossings, 0);

describe.skipIf(missing)(`a heat map behind Hazelcast${missing ? `: ${missing}` : ''}`, () => {
  beforeAll(async () => {
    [servers, member] = await Promise.all([startServers([engine]), startHazelcast()]);
  });

  beforeEach(async () => {
    url = await createHeatMap({ engine, url: servers.get(engine).url, name: 'write-behind' });
    database = await openDatabase();
    behind = await open();
    return async () => {
      await Promise.all([behind.close().catch(() => {}), database.close()]);
    };
  });

  afterAll(async () => {
    await Promise.all([servers?.stop(), member?.kill()]);
  });

  it('acknowledges rows before the database has them, and flushes sums with their checkpoint', async () => {
    const { owner } = await behind.claim(1);
    await behind.add(row(1, 2), { partition: 1, position: 5, state: 'a', owner });
    await behind.add(row(1, 3, june + 9), { partition: 1, position: 8, state: 'b', owner });
    expect([await everything(database), await database.checkpoint(1), behind.unflushedCrossings]).toEqual([
      [],
      undefined,
      5,
    ]);
    expect(await behind.read(1)).toEqual({ cell: 1, crossings: 5, timeMs: june + 9 });
    await behind.flush();
    expect(await everything(database)).toEqual([{ cell: 1, crossings: 5, timeMs: june + 9 }]);
    expect(await database.checkpoint(1)).toEqual({ partition: 1, position: 8, state: 'b' });
    expect(behind.unflushedCrossings).toBe(0);
  });

  it('flushes at its interval, and when it is closed', async () => {
    const often = await open(50);
    await often.add(row(7, 1));
    await expect.poll(() => totalOf(database), { timeout: 20_000 }).toBe(1);
    await often.add(row(8, 1));
    await often.close();
    expect(await totalOf(database)).toBe(2);
  });

  it('reads cells from its cache until a flush, and never a sum twice', async () => {
    await database.add(row(1, 10));
    expect(await behind.readMany([1, 2, 1])).toEqual(Array(2).fill({ cell: 1, crossings: 10, timeMs: june }));
    // A write around the grid: its cache does not see it.
    await database.add(row(1, 1));
    expect((await behind.read(1))?.crossings).toBe(10);
    await behind.add(row(1, 5));
    expect((await behind.read(1))?.crossings).toBe(15);
    await behind.flush();
    expect((await behind.read(1))?.crossings).toBe(16);
  });

  const points = cyclingTrips({ points: 3000, seed: 3, delayedShare: 0.02 });
  const windows = { lengthMs: 1000, outOfOrderMs: 2000 };
  const events = Array.from({ length: points.count }, (_, i) => ({
    key: geohashCell(geohashScale(8), points.latitudes[i]!, points.longitudes[i]!),
    value: 1,
    timeMs: points.timesMs[i]!,
  }));
  const jobOf = (sink: Sink): StreamJob => ({
    source: gpsSource(points, 8),
    sink,
    windows,
    guarantee: 'exactly-once',
    partitions: 2,
    rowsPerWrite: 8,
    eventsPerBatch: 16,
    clock: monotonicClock,
    pause: pauseOnTimers,
    resume: true,
  });

  it('loses what the grid has not flushed when it is killed, as it reports; a resumed job adds it again', async () => {
    let [adds, acknowledged] = [0, 0];
    const sink: Sink = {
      async add(rows, checkpoint) {
        if (++adds === 30) await behind.flush();
        if (adds === 60) await member.kill();
        await behind.add(rows, checkpoint);
        acknowledged += rows.crossings.subarray(0, rows.count).reduce((total, count) => total + count, 0);
      },
      saveCheckpoint: (checkpoint) => behind.saveCheckpoint(checkpoint),
      claim: (partition) => behind.claim(partition),
    };
    await expect(runJob(jobOf(sink))).rejects.toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    const kept = await totalOf(database);
    expect(kept).toBeGreaterThan(0);
    expect(behind.unflushedCrossings).toBeGreaterThan(0);
    expect(acknowledged - kept).toBe(behind.unflushedCrossings);
    await expect(behind.flush()).rejects.toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    await behind.close();

    member = await startHazelcast();
    behind = await open();
    await runJob(jobOf(behind));
    await behind.close();
    const found = new Map((await everything(database)).map(({ cell, ...entry }) => [cell, entry]));
    expect(found).toEqual(expectedHeatMap(events, windows).cells);
  });

  it('keeps exactly once when its process dies before a flush: the next job drops those rows', async () => {
    const dead = await open();
    const { owner } = await dead.claim(0);
    await dead.add(row(1, 7), { partition: 0, position: 3000, state: '', owner });
    await runJob(jobOf(behind));
    await behind.flush();
    // Its late flush belongs to an earlier owner.
    await expect(dead.flush()).rejects.toMatchObject({ code: 'TB_STORE_CLAIMED' });
    await Promise.all([dead.close(), behind.close()]);
    const found = new Map((await everything(database)).map(({ cell, ...entry }) => [cell, entry]));
    expect(found).toEqual(expectedHeatMap(events, windows).cells);
    const grid = await connectGrid(member.url, 20_000);
    const left = (await grid.getDistributedObjects()).map((object) => object.getName());
    await grid.shutdown();
    expect(left.filter((name) => name.startsWith('test/'))).toEqual([]);
  });

  it('loses nothing when a replaced job flushes while the next one claims its partition', async () => {
    const { owner } = await behind.claim(0);
    await behind.add(row(1, 7), { partition: 0, position: 7, state: '', owner });
    const heatMap = await openDatabase();
    const claim = heatMap.claim.bind(heatMap);
    heatMap.claim = async (partition) => {
      await behind.flush();
      return claim(partition);
    };
    const next = await open(never, heatMap);
    expect((await next.claim(0)).checkpoint?.position).toBe(7);
    expect(await totalOf(database)).toBe(7);
    await next.close();
  });
});
