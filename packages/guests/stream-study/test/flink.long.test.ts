/** Jobs on a real Flink: the heat maps of both engines are equal, also after a death, and no job stays behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreEngine } from '@topo-bench/core';
import { createHeatMap, type HeatMapEntry, openHeatMap } from '@topo-bench/stores/heat-map';
import { FlinkCluster } from '@topo-bench/streams/flink';
import { cyclingTrips } from '@topo-bench/streams/tracks';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type OwnServers, startServers } from '../../stores/test/fixtures/test-servers.ts';
import { startFaultyProxy } from '../../streams/test/fixtures/faulty-proxy.ts';
import { type FlinkProcesses, missingFlink, startFlink } from '../../streams/test/fixtures/flink-processes.ts';
import { StreamEngine } from '../src/engine/embedded/stream-engine.ts';
import { FlinkEngine } from '../src/engine/flink/engine.ts';
import type { EngineSettings } from '../src/engine/job.ts';
import { writePoints } from '../src/input/points-file.ts';
import { databasesOnFlink } from '../src/not-on-flink.ts';
import { compareHeatMaps } from '../src/oracle/compare-heat-maps.ts';
import { HeatMapOracle } from '../src/oracle/heat-map-oracle.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 150_000 });

const missing = missingFlink();
const points = 6000;
const shared = {
  job: 'generate',
  seed: 3,
  points,
  entries: 1000,
  queries: 100,
  cellLength: 7,
  partitions: 2,
  rowsPerWrite: 100,
  checkpointEveryMs: 100,
  timeoutMs: 60_000,
} as const;
const windows = { lengthMs: 1000, outOfOrderMs: 1000 };
/** The rows of the last checkpoint are in the heat map by then, and in its state too. */
const betweenCheckpoints = { when: 'between checkpoints', checkpointEveryMs: 1500, waitMs: 300 };
/** Depends on Flink's steps more than on the database: one database is enough. */
const atAnyTime = { when: 'at any time', checkpointEveryMs: 100, waitMs: 0 };

describe.skipIf(missing)(`a job on Flink${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let servers: OwnServers;
  let flink: FlinkProcesses;
  beforeAll(async () => {
    const [database, cluster] = await Promise.allSettled([startServers(databasesOnFlink), startFlink()]);
    if (database.status === 'fulfilled') servers = database.value;
    if (cluster.status === 'fulfilled') flink = cluster.value;
    for (const start of [database, cluster]) if (start.status === 'rejected') throw start.reason;
  });
  afterAll(async () => {
    await Promise.all([servers?.stop(), flink?.stop()]);
  });

  let heatMaps = 0;
  const create = (engine: StoreEngine = 'postgresql') => {
    const { url } = servers.get(engine);
    return createHeatMap({ engine, url, name: `flink-${++heatMaps}` });
  };
  const entriesOf = async (url: string, engine: StoreEngine = 'postgresql'): Promise<HeatMapEntry[]> => {
    const heatMap = await openHeatMap({ engine, url, connections: 1, timeoutMs: 20_000 });
    try {
      return await heatMap.range(0, Number.MAX_SAFE_INTEGER);
    } finally {
      await heatMap.close();
    }
  };
  /** Polls until the condition holds. @throws the failure of a job that fails before */
  const until = async (condition: () => Promise<boolean>, job: Promise<unknown>): Promise<void> => {
    while (!(await condition())) await Promise.race([sleep(100), job]);
  };
  const checkOf = (entries: HeatMapEntry[], late: number, settings: Pick<EngineSettings, 'windows'>) => {
    const oracle = HeatMapOracle.ofPoints(cyclingTrips(shared), shared.cellLength, settings.windows);
    return compareHeatMaps(oracle.expected(points), entries, late);
  };
  const right = { wrong: 0, lost: 0, duplicated: 0, lateDifference: 0 };
  const engineOf = async (settings: EngineSettings): Promise<FlinkEngine> => {
    const engine = new FlinkEngine(flink.url);
    onTestFinished(() => engine.stop());
    await engine.prepare(settings);
    return engine;
  };
  const rest = async <T>(path: string) => (await (await fetch(`${flink.url}${path}`)).json()) as T;
  const running = async (): Promise<string[]> => {
    const { jobs } = await rest<{ jobs: { jid: string; state: string }[] }>('/jobs/overview');
    return jobs.filter(({ state }) => state === 'RUNNING').map(({ jid }) => jid);
  };

  const jars = async () => (await rest<{ files: { id: string }[] }>('/jars')).files;

  describe.each(databasesOnFlink)('that writes to %s', (database) => {
    beforeEach(({ skip }) => {
      const reason = servers.missing(database);
      skip(reason !== undefined, reason);
    });

    it.each([
      { guarantee: 'exactly-once', windows },
      { guarantee: 'exactly-once' },
      { guarantee: 'at-least-once', windows },
    ] as const)('leaves the heat map of the embedded engine, value by value: %o', async (more) => {
      const settings = { ...shared, ...more };
      const [onFlink, embedded] = [await create(database), await create(database)];
      const engine = await engineOf(settings);
      const outcome = await engine.run({ database, url: onFlink, points });
      const other = await StreamEngine.prepare(settings, new AbortController().signal);
      const expected = await other.run({ database, url: embedded, points });
      const entries = await entriesOf(onFlink, database);
      expect(entries).toEqual(await entriesOf(embedded, database));
      expect(checkOf(entries, outcome.late, settings)).toMatchObject(right);
      expect(outcome.late).toBe(expected.late);
      expect(outcome.late > 0).toBe('windows' in more);
      expect(outcome).toMatchObject({ points, events: points, endToEnd: { count: outcome.rows } });
      expect(outcome.counts.source.reduce((sum, count) => sum + count)).toBe(points);
      expect(outcome.counts.keyBy.reduce((sum, count) => sum + count)).toBe(points);
      expect(outcome.counts.sink.reduce((sum, count) => sum + count)).toBe(outcome.rows);
      expect(outcome.storeAccess.count).toBe(outcome.writes);
      expect(outcome.cpuUs).toBeGreaterThan(0);
      expect(outcome.peakRssBytes).toBeGreaterThan(50e6);
      // What Flink counts itself.
      const [source, ...others] = outcome.flink?.tasks ?? [];
      expect(source).toMatchObject({ name: expect.stringContaining('positions'), parallelism: 1, records: points });
      expect(others.some(({ name, parallelism }) => name.includes('heat map') && parallelism === 2)).toBe(true);
      expect(outcome.flink?.version).toMatch(/^\d+\.\d+/);
      expect(outcome.flink?.restarts).toBe(0);
    });

    it('takes recorded points in place of drawn ones', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'topo-bench-points-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const pointsFile = join(folder, 'points');
      const recorded = cyclingTrips({ points: 5000, seed: 99 });
      await writePoints(pointsFile, recorded);
      const settings = { ...shared, guarantee: 'exactly-once', points: 4000, pointsFile } as const;
      const url = await create(database);
      const outcome = await (await engineOf(settings)).run({ database, url, points: 6000 });
      expect(outcome.points).toBe(4000);
      const expected = HeatMapOracle.ofPoints(recorded, shared.cellLength, undefined).expected(4000);
      expect(compareHeatMaps(expected, await entriesOf(url, database), outcome.late)).toMatchObject(right);
    });

    const kills = database === 'postgresql' ? [betweenCheckpoints, atAnyTime] : [betweenCheckpoints];
    it.each(kills)('loses and repeats nothing when its task manager is killed $when', async (kill) => {
      const { checkpointEveryMs, waitMs } = kill;
      const cluster = new FlinkCluster(flink.url);
      onTestFinished(() => cluster.close());
      const url = await create(database);
      const { cellLength, partitions, rowsPerWrite } = shared;
      const job = {
        database,
        cellLength,
        partitions,
        rowsPerWrite,
        checkpointEveryMs,
        windows,
        guarantee: 'exactly-once',
      } as const;
      // Slow enough that the kill comes before the last point.
      const paced = { ...job, heatMapUrl: url, points, ratePerSecond: 1000, restarts: 20 };
      const ended = cluster.run(cyclingTrips(shared), paced);
      ended.catch(() => {});
      // Rows are there after a checkpoint.
      await until(async () => (await entriesOf(url, database)).length > 0, ended);
      await sleep(waitMs);
      await flink.replaceTaskManager();
      const { events, late, flink: figures } = await ended;
      expect(figures.restarts).toBeGreaterThan(0);
      // It continued from a checkpoint.
      expect(events).toBeLessThan(points);
      expect(checkOf(await entriesOf(url, database), late, { windows })).toMatchObject(right);
    });

    it('adds nothing after another attempt has claimed its partitions', async () => {
      const engine = await engineOf({ ...shared, guarantee: 'exactly-once' });
      const url = await create(database);
      const ended = engine.run({ database, url, points, ratePerSecond: 100 });
      ended.catch(() => {});
      await until(async () => (await entriesOf(url, database)).length > 0, ended);
      const other = await openHeatMap({ engine: database, url, connections: 1, timeoutMs: 20_000 });
      onTestFinished(() => other.close());
      for (let partition = 0; partition < shared.partitions; partition++) await other.claim(partition);
      const atClaim = await entriesOf(url, database);
      await expect(ended).rejects.toMatchObject({
        code: 'TB_STREAM_ENGINE',
        message: expect.stringMatching(/another attempt has claimed partition [01]$/),
      });
      expect(await entriesOf(url, database)).toEqual(atClaim);
    });
  });

  it('is cancelled when the engine stops, and leaves no jar', async () => {
    const engine = await engineOf({ ...shared, guarantee: 'exactly-once' });
    const ended = engine.run({ database: 'postgresql', url: await create(), points, ratePerSecond: 100 });
    ended.catch(() => {});
    await until(async () => (await running()).length > 0, ended);
    expect(await jars()).toHaveLength(1);
    await engine.stop();
    await expect(ended).rejects.toThrow('the job on Flink was cancelled');
    expect(await running()).toEqual([]);
    expect(await jars()).toEqual([]);
  });

  it('is not submitted when the engine stops during the upload, and leaves no jar', async () => {
    const engine = await engineOf({ ...shared, guarantee: 'exactly-once' });
    const known = (await rest<{ jobs: unknown[] }>('/jobs/overview')).jobs.length;
    const ended = engine.run({ database: 'postgresql', url: await create(), points });
    ended.catch(() => {});
    await engine.stop();
    await expect(ended).rejects.toThrow('the job on Flink was cancelled');
    expect(await jars()).toEqual([]);
    expect((await rest<{ jobs: unknown[] }>('/jobs/overview')).jobs).toHaveLength(known);
  });

  it('has the figures of its end while a web page shows the job', async () => {
    const engine = await engineOf({ ...shared, guarantee: 'exactly-once' });
    const ended = engine.run({ database: 'postgresql', url: await create(), points, ratePerSecond: 3000 });
    let hasEnded = false;
    const watching = (async () => {
      while (!hasEnded) {
        for (const id of await running()) await rest(`/jobs/${id}/accumulators`);
        await sleep(50);
      }
    })();
    try {
      const { events, counts } = await ended;
      expect(events).toBe(points);
      expect(counts.sink.length).toBeGreaterThan(0);
    } finally {
      hasEnded = true;
      await watching;
    }
  });

  it('starts its time when the sink has claimed its partitions', async () => {
    const engine = await engineOf({ ...shared, guarantee: 'exactly-once' });
    const url = await create();
    const lock = new pg.Client({ connectionString: url });
    await lock.connect();
    try {
      await lock.query('BEGIN; LOCK TABLE checkpoints IN EXCLUSIVE MODE');
      const ended = engine.run({ database: 'postgresql', url, points });
      ended.catch(() => {});
      const waiting = "SELECT 1 FROM pg_locks WHERE relation = 'checkpoints'::regclass AND NOT granted";
      await until(async () => (await lock.query(waiting)).rows.length === shared.partitions, ended);
      await sleep(1000);
      const releasedMs = Date.now();
      await lock.query('COMMIT');
      const { durationUs } = await ended;
      expect(durationUs).toBeLessThan((Date.now() - releasedMs) * 1e3);
    } finally {
      await lock.end();
    }
  });

  describe('behind a network that fails', () => {
    const faulty = async () => {
      const proxy = await startFaultyProxy(flink.url);
      const cluster = new FlinkCluster(proxy.url);
      onTestFinished(async () => {
        proxy.faults = {};
        await cluster.close();
        await proxy.stop();
      });
      const { cellLength, partitions, rowsPerWrite, checkpointEveryMs } = shared;
      const common = {
        database: 'postgresql',
        cellLength,
        partitions,
        rowsPerWrite,
        checkpointEveryMs,
        windows,
      } as const;
      const job = { ...common, points, ratePerSecond: 100, guarantee: 'exactly-once' } as const;
      const run = async () => cluster.run(cyclingTrips(shared), { ...job, heatMapUrl: await create() });
      return { proxy, cluster, run };
    };

    it('deletes a jar whose upload had no answer', async () => {
      const { proxy, cluster, run } = await faulty();
      proxy.faults = { lost: /^POST \/jars\/upload/ };
      await expect(run()).rejects.toMatchObject({ code: 'TB_FLINK_MISSING' });
      expect(await jars()).toHaveLength(1);
      await cluster.close();
      expect(await jars()).toEqual([]);
    });

    it('cancels a job whose submission had no answer', async () => {
      const { proxy, cluster, run } = await faulty();
      proxy.faults = { lost: /^POST .*\/run/ };
      const failed = await run().catch((error: Error) => error);
      expect(failed).toMatchObject({ code: 'TB_FLINK_MISSING' });
      await until(async () => (await running()).length === 1, new Promise(() => {}));
      await cluster.close();
      expect([await running(), await jars()]).toEqual([[], []]);
    });

    it('names a jar that it cannot delete, and deletes it when it is closed again', async () => {
      const { proxy, cluster, run } = await faulty();
      proxy.faults = { refused: /^(DELETE|POST .*\/run)/ };
      await expect(run()).rejects.toMatchObject({ code: 'TB_STREAM_ENGINE' });
      const [jar] = await jars();
      await expect(cluster.close()).rejects.toMatchObject({
        code: 'TB_STREAM_ENGINE',
        message: expect.stringMatching(`the jar ${jar?.id}, which contains the login .*Flink answers 500`),
      });
      proxy.faults = { lost: /^DELETE/ };
      await cluster.close();
      expect(await jars()).toEqual([]);
    });
  });

  it('fails with the cause in one line, without the password', async () => {
    const engine = await engineOf({ ...shared, guarantee: 'exactly-once' });
    const url = new URL(await create());
    url.password = 'wrong-secret';
    url.username = 'nobody-here';
    const failed = engine.run({ database: 'postgresql', url: url.href, points });
    await expect(failed).rejects.toMatchObject({
      code: 'TB_STREAM_ENGINE',
      message: expect.stringMatching(/^the job on Flink failed: .*nobody-here[^\n]*$/),
    });
    await expect(failed).rejects.not.toThrow('wrong-secret');
  });
});
