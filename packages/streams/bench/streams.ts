/**
 * Cost of the stream processor: points per second through geohash, key by and sum into a sink that keeps nothing, and
 * the time of a job on each store against the bare driver with the same writes. Both sides take turns on one server, on
 * one connection each, from empty tables; the job saves a checkpoint with each write and so does the driver.
 *
 * Usage: npm run bench:streams [-- --quick] [-- --store redis] [-- --gpx FILE…]
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { monotonicClock, type StoreEngine, storeEngines, TopoBenchError } from '@topo-bench/core';
import { median, pairedRatio } from '@topo-bench/stats';
import { engines } from '@topo-bench/stores/engines';
import { startServer } from '@topo-bench/stores/servers/start-server';
import { cyclingTrips, type GpsPoints } from '@topo-bench/workload';
import { gpxPoints } from '@topo-bench/workload/gpx';
import { gpsSource, nullSink, pauseOnTimers, runJob, type StreamJob } from '../src/index.ts';
import { bareDrivers } from './bare-drivers.ts';
import { sidesOf, timeSide } from './sides.ts';

const isQuick = process.argv.includes('--quick');
const onlyStore = process.argv.includes('--store') ? process.argv[process.argv.indexOf('--store') + 1] : undefined;
/** Recorded tracks in place of drawn ones; the last flag. */
const gpxFiles = process.argv.includes('--gpx') ? process.argv.slice(process.argv.indexOf('--gpx') + 1) : [];
// Six are the fewest that bound an interval at 95% (signed ranks).
const rounds = isQuick ? 6 : 12;
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
console.log('\n| store | job, points/s | bare driver, points/s | time of the job, ratio, 95% interval | wanted |');
console.log('|---|---:|---:|---:|---:|');
for (const engine of storeEngines) if (onlyStore === undefined || onlyStore === engine) await compare(engine);

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
  if (!bareDrivers[engine]) return console.log(`| ${engine} | no bare driver to compare with | | | |`);
  const server = await serverOf(engine);
  if (!server) return;
  try {
    const source = gpsSource(tracks(pointsOf(engine)), cellLength);
    const rowsPerWrite = engine === 'mongodb' ? 100 : job.rowsPerWrite;
    const eventsPerBatch = engine === 'mongodb' ? 200 : 2048;
    const setting = { ...job, source, rowsPerWrite, eventsPerBatch };
    const [jobSide, bareSide] = await sidesOf(engine, setting);
    const seconds = { job: [] as number[], bare: [] as number[] };
    for (let round = -warmUpRounds; round < rounds; round++) {
      const isJobFirst = round % 2 === 0;
      const [first, second] = isJobFirst ? [jobSide, bareSide] : [bareSide, jobSide];
      const [one, other] = [await timeSide(first, server.url), await timeSide(second, server.url)];
      if (round < 0) continue;
      seconds.job.push(isJobFirst ? one : other);
      seconds.bare.push(isJobFirst ? other : one);
    }
    const { estimate, interval } = pairedRatio(seconds.bare, seconds.job, 0.05);
    const ends = interval.map((end) => end.toFixed(2)).join(', ');
    const rates = [seconds.job, seconds.bare].map((side) => (source.length / median(side)).toFixed(0));
    console.log(`| ${engine} | ${rates.join(' | ')} | ${estimate.toFixed(2)} [${ends}] | ≤ ${wantedRatio} |`);
  } finally {
    await server.stop();
  }
}

async function serverOf(engine: StoreEngine) {
  try {
    return await startServer({ engine });
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_STORE_NO_SERVER') throw error;
    console.log(`| ${engine} | no server here | | | |`);
    return undefined;
  }
}
