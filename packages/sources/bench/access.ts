/**
 * How fast a table reaches a client: columns from the source on, compared with the drivers of Node.js, the readers of
 * C and C++, and the undecoded bytes. All sides of a store take turns within every round, each in a process of its own;
 * the first round warms up. A side that returns another number of rows is an error.
 *
 * Usage: npm run bench:access [-- [--store postgresql|mongodb|parquet [--url URL]] [--rows ROWS] [--rounds ROUNDS]
 * [--memory]]
 *
 * On a user-supplied server, the table `store_sales` stays for the next run: in MongoDB, of the database `access`.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { medianInterval } from '@topo-bench/comparison';
import { median, pairedRatio } from '@topo-bench/stats';
import { peakAboveIdle } from '../../arrow-flight/test/fixtures/peak-memory.ts';
import { loadTable, type SourceKind, type SourceTable, storeSalesData, storeSalesSchema } from '../src/index.ts';
import { inStores, storeFlags } from '../test/fixtures/bench-stores.ts';
import { type Comparison, comparisons } from './comparisons.ts';
import { Reader } from './peers/reader.ts';
import { measureTurns, readWhole, startTurns, type Turn } from './turns.ts';

const { values: flags } = parseArgs({
  options: {
    ...storeFlags,
    rows: { type: 'string' },
    rounds: { type: 'string' },
    memory: { type: 'boolean' },
  },
});
const alpha = 0.05;
/** At least. Fewer than six bound no interval at 95%. */
const wantedRounds = Number(flags.rounds ?? 7);
const rowsOf: Readonly<Record<SourceKind, number>> = { postgresql: 1_000_000, parquet: 1_000_000, mongodb: 100_000 };

async function compare(comparison: Comparison, table: SourceTable, rows: number): Promise<void> {
  const { turns, left, stop } = await startTurns(comparison.sides);
  for (const { side, reason } of left) console.log(`Left out: ${side.name} (${reason}).`);
  try {
    const columns = storeSalesSchema.names as string[];
    const rounds = await measureTurns(turns, wantedRounds, (turn) => readWhole(turn, { table, rows, columns }));
    print(comparison, turns, `${rows} rows of store_sales, ${rounds} rounds`);
    if (flags.memory) await showMemory(turns, table);
  } finally {
    await stop();
  }
}

function print({ title, targets }: Comparison, turns: readonly Turn[], setting: string): void {
  const { rates: ours } = turns[0] as Turn;
  console.log(`\n${title}, ${setting}\n`);
  console.log('| side | ends with | 1000 rows/s | ratio of columns to it |\n|---|---|---:|---:|');
  for (const [i, { side, rates }] of turns.entries()) {
    const speeds = rates.map((rate) => rate / 1000);
    const { estimate, interval } = pairedRatio(rates, ours, alpha);
    const ratio = i === 0 ? '' : withInterval(estimate, interval, 2);
    console.log(
      `| ${side.name} | ${side.endsWith} | ${withInterval(median(speeds), medianInterval(speeds, alpha), 0)} | ${ratio} |`,
    );
  }
  console.log('');
  for (const { of, to, min } of targets) {
    const [candidate, baseline] = [of, to].map((name) => turns.find(({ side }) => side.name === name));
    if (!candidate || !baseline) continue;
    const { estimate, interval } = pairedRatio(baseline.rates, candidate.rates, alpha);
    const verdict = interval[0] >= min ? 'reached' : interval[1] < min ? 'missed' : 'undecided';
    console.log(`Target ${min} × ${to} for ${of}: ${withInterval(estimate, interval, 2)}, ${verdict}.`);
  }
}

/** One more read by each path of Node.js, in a new process: its idle memory is before the first read. */
async function showMemory(turns: readonly Turn[], table: SourceTable): Promise<void> {
  for (const { side } of turns.filter(({ side }) => side.program === 'node')) {
    const idle = new Reader('node');
    await idle.missing(side);
    const [peak = Number.NaN] = await peakAboveIdle([idle.pid], () =>
      idle.read({ path: side.path, table, connections: side.connections ?? 1 }),
    );
    await idle.stop();
    console.log(`Peak memory of ${side.name} above an idle process: ${peak.toFixed(0)} MB.`);
  }
}

const withInterval = (estimate: number, interval: readonly number[], digits: number): string =>
  `${estimate.toFixed(digits)} [${interval.map((end) => (Number.isFinite(end) ? end.toFixed(digits) : '?')).join(', ')}]`;

/** Target of a load into PostgreSQL. */
const maxSecondsPerMillion = 30;

/** Generates the rows and loads them. */
async function load(table: SourceTable, rows: number): Promise<void> {
  const startMs = performance.now();
  await loadTable(table, storeSalesData({ rows, seed: 1 }));
  const seconds = (performance.now() - startMs) / 1e3;
  console.log(`\nLoaded ${rows} rows into ${table.kind} in ${seconds.toFixed(1)} s.`);
  // Fewer rows do not show the time of a million: the first ones wait for code and connection.
  if (table.kind !== 'postgresql' || rows < 1e6) return;
  const verdict = (seconds * 1e6) / rows <= maxSecondsPerMillion ? 'reached' : 'missed';
  console.log(`Target ${maxSecondsPerMillion} s for a million rows: ${verdict}.`);
}

console.log(`Node.js ${process.version}, ${cpus().length} cores`);
await inStores(flags, async (kind, tableOf) => {
  const rows = Number(flags.rows ?? rowsOf[kind]);
  const table = tableOf('store_sales');
  await load(table, rows);
  await compare(comparisons[kind], table, rows);
});
console.log('\nSpeeds are medians with 95% intervals (sign test); ratios are those of the same round (signed ranks).');
