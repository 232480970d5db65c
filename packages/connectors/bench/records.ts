/**
 * CPU time to write and to read a record of a connector: our protobuf records next to those of protobufjs, which are
 * the same bytes, and next to JSON lines. The ways take turns in one process, on rows of `store_sales`.
 *
 * Usage: npm run bench:connectors [-- --rounds N]
 */
import { parseArgs } from 'node:util';
import { median, pairedRatio } from '@topo-bench/stats';
import { balancedOrders, balancedRounds } from '../../stats/test/fixtures/balanced-orders.ts';
import { driverRows, schema } from './rows.ts';
import { type Way, waysOf } from './ways.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const rows = driverRows(5000);
const ways = waysOf(schema);
const orders = balancedOrders(ways.length);
/** Six are the fewest that bound an interval at 95% (signed ranks). */
const rounds = balancedRounds(Math.max(6, Number(flags.rounds)), orders);
const warmUpRounds = orders.length;

interface Times {
  /** µs of CPU time per row, by round. */
  write: number[];
  read: number[];
}

const times: Times[] = ways.map(() => ({ write: [], read: [] }));
for (let round = -warmUpRounds; round < rounds; round++) {
  for (const place of orders.at(round % orders.length) ?? []) {
    const { write, read } = measure(ways[place] as Way);
    if (round < 0) continue;
    times[place]?.write.push(write);
    times[place]?.read.push(read);
  }
}

function measure(way: Way): { write: number; read: number } {
  const begin = process.cpuUsage();
  const bytes = way.write(rows);
  const written = process.cpuUsage(begin);
  const half = process.cpuUsage();
  const count = way.read(bytes).length;
  const readUse = process.cpuUsage(half);
  if (count !== rows.length) throw new Error(`${way.name}: got ${count} rows, expected ${rows.length}`);
  return { write: perRow(written), read: perRow(readUse) };
}

function perRow({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / rows.length;
}

/** The other way to ours: above 1, ours is faster. */
function ratioText(ours: readonly number[], other: readonly number[]): string {
  const { estimate, interval } = pairedRatio(ours, other, 0.05);
  return `${estimate.toFixed(2)} [${interval.map((end) => end.toFixed(2)).join(', ')}]`;
}

console.log(`Node.js ${process.version}; ${rows.length} rows of ${schema.fields.length} columns, ${rounds} rounds\n`);
console.log('| way | write, µs/row | to ours | read, µs/row | to ours |\n|---|---:|---:|---:|---:|');
const [ours] = times as [Times];
ways.forEach(({ name }, place) => {
  const own = times[place] as Times;
  const cells = (['write', 'read'] as const).flatMap((step) => [
    median(own[step]).toFixed(2),
    own === ours ? '' : ratioText(ours[step], own[step]),
  ]);
  console.log(`| ${name} | ${cells.join(' | ')} |`);
});
console.log('\nCPU time, medians; ratios of the same round with their 95% intervals (signed ranks).');
