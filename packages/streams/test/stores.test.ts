/** Jobs on real stores: the heat map against one computed from the points alone, without and with crashes. */
import { monotonicClock, storeEngines } from '@topo-bench/core';
import { createHeatMap, type HeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { cyclingTrips, type GpsPoints, geohashCell, geohashScale } from '@topo-bench/workload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServers, type TestServers } from '../../stores/test/fixtures/test-servers.ts';
import { gpsSource, guarantees, pauseOnTimers, runJob, type Sink, type StreamJob } from '../src/index.ts';
import { expectedHeatMap } from './fixtures/heat-map-oracle.ts';

const cellLength = 8;
const windows = { lengthMs: 1000, outOfOrderMs: 2000 };

let servers: TestServers;

// Two of the servers are Java programs, which start in a minute on a loaded machine.
beforeAll(async () => {
  servers = await startServers(storeEngines);
}, 240_000);

afterAll(() => servers?.stop());

const eventsOf = ({ count, latitudes, longitudes, timesMs }: GpsPoints) =>
  Array.from({ length: count }, (_, i) => ({
    key: geohashCell(geohashScale(cellLength), latitudes[i]!, longitudes[i]!),
    value: 1,
    timeMs: timesMs[i]!,
  }));

/** Content of the store. */
async function cellsOf(heatMap: HeatMap) {
  const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
  return new Map(entries.map(({ cell, crossings, timeMs }) => [cell, { crossings, timeMs }]));
}

/** Fails at every `n`-th write: every other time with the rows in the store and the answer lost. */
function failing(heatMap: HeatMap, n: number): Sink & { failures: number } {
  let calls = 0;
  const sink = {
    failures: 0,
    add: async (...args: Parameters<Sink['add']>) => {
      const isFailure = ++calls % n === 0;
      if (isFailure) sink.failures++;
      if (!isFailure || sink.failures % 2 === 0) await heatMap.add(...args);
      if (isFailure) throw new Error('crash');
    },
    saveCheckpoint: (checkpoint: Parameters<Sink['saveCheckpoint']>[0]) => heatMap.saveCheckpoint(checkpoint),
    claim: (partition: number) => heatMap.claim(partition),
  };
  return sink;
}

describe.each(storeEngines)('a job on %s', (engine) => {
  // SecantusDB is the slowest by far.
  const points = cyclingTrips({ points: engine === 'mongodb' ? 1200 : 3000, seed: 3, delayedShare: 0.02 });
  const events = eventsOf(points);
  let heatMap: HeatMap;

  beforeEach(async ({ skip }) => {
    const reason = servers.missing(engine);
    skip(reason !== undefined, reason);
    const url = await createHeatMap({ engine, url: servers.get(engine).url, name: 'streams-test' });
    heatMap = await openHeatMap({ engine, url, connections: 2, timeoutMs: 20_000 });
    return () => heatMap.close();
  });

  const jobOf = (sink: Sink): StreamJob => ({
    source: gpsSource(points, cellLength),
    sink,
    windows,
    guarantee: 'exactly-once',
    partitions: 2,
    rowsPerWrite: 8,
    eventsPerBatch: 16,
    writesPerCheckpoint: 2,
    clock: monotonicClock,
    pause: pauseOnTimers,
    resume: true,
  });

  it.each([windows, undefined])('writes the heat map of its points, with windows %j', async (given) => {
    const result = await runJob({ ...jobOf(heatMap), windows: given });
    const { cells, late } = expectedHeatMap(events, given);
    expect(await cellsOf(heatMap)).toEqual(cells);
    expect(result.late).toBe(late);
    expect(late > 0).toBe(given !== undefined);
  });

  it('keeps exactly once when a write of a replaced job arrives after the job that replaced it', async () => {
    let calls = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let isHeld = (): void => {};
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const late: Sink = {
      async add(...args) {
        if (++calls > 6) {
          // On its way while the process that sent it is thought to be dead.
          isHeld();
          await released;
        }
        await heatMap.add(...args);
      },
      saveCheckpoint: (checkpoint) => heatMap.saveCheckpoint(checkpoint),
      claim: (partition) => heatMap.claim(partition),
    };
    const replaced = runJob(jobOf(late)).then(
      () => 'ended',
      ({ code }) => code,
    );
    await held;
    // Half of its points, so that the late write belongs to others than the last ones.
    const source = gpsSource(points, cellLength);
    await runJob({ ...jobOf(heatMap), source: { ...source, length: points.count / 2 } });
    release();
    expect(await replaced).toBe('TB_STORE_CLAIMED');
    await runJob(jobOf(heatMap));
    expect(await cellsOf(heatMap)).toEqual(expectedHeatMap(events, windows).cells);
  });

  it.each(guarantees)('keeps its guarantee %s over crashes', async (guarantee) => {
    const sink = failing(heatMap, 9);
    for (;;) {
      const end = await runJob({ ...jobOf(sink), guarantee }).catch((error: Error) => error.message);
      if (end !== 'crash') break;
    }
    const { cells } = expectedHeatMap(events, windows);
    const found = await cellsOf(heatMap);
    const surplus = [...cells].map(([cell, { crossings }]) => (found.get(cell)?.crossings ?? 0) - crossings);
    expect(sink.failures).toBeGreaterThan(2);
    expect([...found.keys()].filter((cell) => !cells.has(cell))).toEqual([]);
    expect(Math.min(...surplus)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...surplus) > 0).toBe(guarantee === 'at-least-once');
  });
});
