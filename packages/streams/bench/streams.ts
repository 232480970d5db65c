/**
 * Cost of the stream processor: points per second through geohash, key by and sum into a sink that keeps nothing, and
 * the time of a job on each store against the bare driver with the same writes. Both sides take turns on one server, on
 * one connection each, from empty tables; the job saves a checkpoint with each write and so does the driver. The same
 * job on Flink takes turns with them if there is a Flink: a cluster at TOPO_BENCH_FLINK_URL, or the jars of FLINK_HOME.
 *
 * Usage: npm run bench:streams [-- [--quick] [--rounds ROUNDS] [--store STORE] [--gpx FILE]…]
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { monotonicClock, type StoreEngine, storeEngines, TopoBenchError } from '@topo-bench/core';
import { median, pairedRatio } from '@topo-bench/stats';
import { engines } from '@topo-bench/stores/engines';
import { startServer } from '@topo-bench/stores/servers/start-server';
import { cyclingTrips, type GpsPoints } from '@topo-bench/workload';
import { gpxPoints } from '@topo-bench/workload/gpx';
import { flinkDatabases } from '../src/flink/index.ts';
import { gpsSource, nullSink, pauseOnTimers, runJob, type StreamJob } from '../src/index.ts';
import { missingFlink, startFlink } from '../test/fixtures/flink-processes.ts';
import { flinkSide } from './flink-side.ts';
import { type Side, sidesOf, timeSide } from './sides.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    rounds: { type: 'string' },
    store: { type: 'string' },
    /** Recorded tracks in place of drawn ones. */
    gpx: { type: 'string', multiple: true },
  },
});
const isQuick = flags.quick === true;
const onlyStore = storeEngines.find((engine) => engine === flags.store);
if (flags.store !== undefined && onlyStore === undefined)
  throw new Error(`--store: got ${flags.store}, expected one of ${storeEngines.join(', ')}`);
const gpxFiles = flags.gpx ?? [];
// Six are the fewest that bound an interval at 95% (signed ranks).
const rounds = flags.rounds ? Number(flags.rounds) : isQuick ? 6 : 12;
const warmUpRounds = 2;
const cellLength = 8;
const windows = { lengthMs: 1000, outOfOrderMs: 2000 };
const wantedRate = 500_000;
const wantedRatio = 1.15;
/** Points of one round: more than a second of each store. */
const pointsOf = (engine: StoreEngine): number => engines[engine].typicalPointsPerSecond * (isQuick ? 0.8 : 1.6);

const job = {
  guarantee: 'exactly-once',
  partitions: 1,
  rowsPerWrite: 1000,
  clock: monotonicClock,
  pause: pauseOnTimers,
} as const satisfies Partial<StreamJob>;

console.log(`Node.js ${process.version}, ${availableParallelism()} cores\n`);
await engineAlone();
const flink = await foundFlink();
const heads = ['store', 'job, points/s', 'bare driver, points/s', 'time of the job, ratio, 95% interval', 'wanted'];
if (flink) heads.push('job on Flink, points/s', 'time on Flink against the job, ratio, 95% interval');
console.log(`\n| ${heads.join(' | ')} |\n|---|${'---:|'.repeat(heads.length - 1)}`);
try {
  for (const engine of storeEngines) if (onlyStore === undefined || onlyStore === engine) await compare(engine);
} finally {
  await flink?.stop();
}

async function engineAlone(): Promise<void> {
  const source = gpsSource(tracks(isQuick ? 300_000 : 1_000_000), cellLength);
  console.log(`${source.length} points, median of ${rounds} rounds, one thread, no store\n`);
  console.log('| windows | points/s | rows | late | wanted |\n|---|---:|---:|---:|---:|');
  for (const [name, given] of [['none', undefined] as const, ['1 s', windows] as const]) {
    const rates: number[] = [];
    let last = { rows: 0, late: 0 };
    for (let round = -warmUpRounds; round < rounds; round++) {
      const result = await runJob({ ...job, source, sink: nullSink, windows: given });
      last = result;
      if (round >= 0) rates.push(source.length / (result.durationUs / 1e6));
    }
    console.log(`| ${name} | ${median(rates).toFixed(0)} | ${last.rows} | ${last.late} | ≥ ${wantedRate} |`);
  }
}

function tracks(points: number): GpsPoints {
  if (gpxFiles.length === 0) return cyclingTrips({ points, seed: 1 });
  return gpxPoints(gpxFiles.map((name) => ({ name, text: readFileSync(name, 'utf8') })));
}

async function compare(engine: StoreEngine): Promise<void> {
  const server = await serverOf(engine);
  if (!server) return;
  const points = tracks(pointsOf(engine));
  const rowsPerWrite = engine === 'mongodb' ? 100 : job.rowsPerWrite;
  const eventsPerBatch = engine === 'mongodb' ? 200 : 2048;
  const setting = { ...job, source: gpsSource(points, cellLength), rowsPerWrite, eventsPerBatch };
  const onFlink = flink && flinkDatabases[engine] && flinkSide(flink.url, engine, { ...setting, points, cellLength });
  try {
    const [jobSide, bareSide] = await sidesOf(engine, setting);
    const sides = [jobSide, ...(onFlink ? [onFlink] : []), bareSide];
    const seconds: Record<Side['name'], number[]> = { job: [], 'bare driver': [], Flink: [] };
    for (let round = -warmUpRounds; round < rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const time = await timeSide(side, server.url);
        if (round >= 0) seconds[side.name].push(time);
      }
    }
    const rateOf = (name: Side['name']): string => (points.count / median(seconds[name])).toFixed(0);
    const toJob = ratioText(seconds['bare driver'], seconds.job);
    const ofFlink = onFlink ? [rateOf('Flink'), ratioText(seconds.job, seconds.Flink)] : [];
    print(engine, rateOf('job'), rateOf('bare driver'), toJob, `≤ ${wantedRatio}`, ...ofFlink);
  } finally {
    await onFlink?.stop();
    await server.stop();
  }
}

function ratioText(baseline: readonly number[], seconds: readonly number[]): string {
  const { estimate, interval } = pairedRatio(baseline, seconds, 0.05);
  return `${estimate.toFixed(2)} [${interval.map((end) => end.toFixed(2)).join(', ')}]`;
}

function print(...texts: string[]): void {
  console.log(`| ${heads.map((_, column) => texts[column] ?? '').join(' | ')} |`);
}

async function serverOf(engine: StoreEngine) {
  try {
    return await startServer({ engine });
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_STORE_NO_SERVER') throw error;
    print(engine, 'no server here');
    return undefined;
  }
}

async function foundFlink(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const url = process.env.TOPO_BENCH_FLINK_URL;
  if (url) return { url, stop: async () => {} };
  return missingFlink() === undefined ? startFlink({ isForBench: true }) : undefined;
}
