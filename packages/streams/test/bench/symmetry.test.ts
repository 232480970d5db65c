/**
 * Both sides of bench:streams do the same to each store: equal bytes inside the clock, over one connection that was
 * open before, and the same heat map afterwards. The job on Flink leaves this heat map too, in the time from its first
 * point to its last acknowledgement.
 */
import { monotonicClock, type StoreEngine } from '@topo-bench/core';
import { openHeatMap } from '@topo-bench/stores/heat-map';
import { cyclingTrips } from '@topo-bench/workload';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServers, type TestServers } from '../../../stores/test/fixtures/test-servers.ts';
import { bareDrivers } from '../../bench/bare-drivers.ts';
import { flinkSide } from '../../bench/flink-side.ts';
import { type Side, sidesOf } from '../../bench/sides.ts';
import { gpsSource, pauseOnTimers } from '../../src/index.ts';
import { type FlinkProcesses, missingFlink, startFlink } from '../fixtures/flink-processes.ts';
import { type MeteredServer, meteredServer, type Traffic } from '../fixtures/metered-server.ts';

let servers: TestServers;
function startBefore(engines: readonly StoreEngine[]): void {
  beforeAll(async () => {
    servers = await startServers(engines);
  }, 150_000);
  afterAll(() => servers?.stop());
}

/** Traffic at each reading of the clock while a side is timed. */
const readings: Traffic[] = [];
let server: MeteredServer | undefined;
const clock = {
  nowUs() {
    if (server) readings.push(server.traffic());
    return monotonicClock.nowUs();
  },
};

const points = cyclingTrips({ points: 3000, seed: 1 });
const cellLength = 8;
const setting = {
  source: gpsSource(points, cellLength),
  guarantee: 'exactly-once',
  partitions: 1,
  rowsPerWrite: 100,
  eventsPerBatch: 200,
  clock,
  pause: pauseOnTimers,
} as const;

async function done(engine: StoreEngine, { name, prepare }: Side) {
  server = await meteredServer(servers.get(engine).url);
  try {
    const prepared = await prepare(server.url);
    readings.length = 0;
    const seconds = await prepared.timed();
    const [first, last] = [readings[0], readings.at(-1)] as [Traffic, Traffic];
    const after = server.traffic();
    await prepared.close();
    // Content is read past the meter.
    const heatMapUrl = prepared.heatMap.replace(new URL(server.url).host, new URL(servers.get(engine).url).host);
    const heatMap = await openHeatMap({ engine, url: heatMapUrl, connections: 1, timeoutMs: 10_000 });
    const [entries, checkpoint] = [await heatMap.range(0, Number.MAX_SAFE_INTEGER), await heatMap.checkpoint(0)];
    await heatMap.close();
    const cells = entries.sort((a, b) => a.cell - b.cell);
    return { name, seconds, first, last, after, cells, position: checkpoint?.position };
  } finally {
    await server.stop();
    server = undefined;
  }
}

// One server at a time: three of them are Java programs.
describe.each(Object.keys(bareDrivers) as StoreEngine[])('on %s', (engine) => {
  startBefore([engine]);

  it('the job and the bare driver do the same work inside the clock', async (context) => {
    const missing = servers.missing(engine);
    if (missing) context.skip(missing);
    const [job, bare] = await sidesOf(engine, setting);
    const sides = [await done(engine, job), await done(engine, bare)];
    for (const { name, seconds, first, last, after } of sides) {
      expect(seconds, name).toBeGreaterThan(0);
      expect(last.connections - first.connections, `${name}: connections opened inside the clock`).toBe(0);
      expect(after, `${name}: traffic after the clock`).toEqual(last);
    }
    const [ofJob, ofBare] = sides.map(({ first, last }) => last.sentBytes - first.sentBytes) as [number, number];
    // Against an empty measurement: thousands of cells in rows of ten bytes and more.
    expect(ofBare).toBeGreaterThan(10_000);
    expect(ofJob / ofBare).toBeGreaterThan(0.95);
    expect(ofJob / ofBare).toBeLessThan(1.05);
    expect(sides[0]?.cells).toEqual(sides[1]?.cells);
    expect(sides[0]?.cells.reduce((sum, { crossings }) => sum + crossings, 0)).toBe(3000);
    expect(sides.map(({ position }) => position)).toEqual([3000, 3000]);
  });
});

const missing = missingFlink();

describe.skipIf(missing)(`on Flink${missing ? ` (skipped: ${missing})` : ''}`, () => {
  startBefore(['mysql', 'redis']);
  let flink: FlinkProcesses;
  beforeAll(async () => {
    flink = await startFlink();
  }, 150_000);
  afterAll(() => flink?.stop());

  it.for(['mysql', 'redis'] as const)(
    'the job fills the heat map of the other sides in %s',
    { timeout: 120_000 },
    async (engine, context) => {
      const missingServer = servers.missing(engine);
      if (missingServer) context.skip(missingServer);
      const side = flinkSide(flink.url, engine, { ...setting, points, cellLength });
      try {
        const [job] = await sidesOf(engine, setting);
        const startUs = monotonicClock.nowUs();
        const onFlink = await done(engine, side);
        const seconds = (monotonicClock.nowUs() - startUs) / 1e6;
        const embedded = await done(engine, job);
        expect(onFlink.cells).toEqual(embedded.cells);
        // Uploads and submission are outside of the clock.
        expect(onFlink.seconds).toBeGreaterThan(0);
        expect(onFlink.seconds).toBeLessThan(seconds);
      } finally {
        await side.stop();
      }
    },
  );
});
