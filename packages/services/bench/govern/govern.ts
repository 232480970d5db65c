/**
 * What rules cost a stream, by kind of rule: ten columns of 110 bytes a row, over Flight and over HTTP on loopback,
 * from a service to a client, each a process. With rules and without take turns in every round; the figure is the
 * share of the rows per second that rules cost.
 *
 * Usage: npm run bench:govern [-- [--rounds N] [--protocol flight|http] [--target]]; with --target only the cases
 * that have one
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { median, pairedRatio } from '@topo-bench/stats';
import { benchSize, type Case, casesOf } from './cases.ts';
import type { ReadOrder } from './client.ts';
import { measureInTurns, ServiceAndClient } from './service-and-client.ts';

/** Costs no more than this share of the rows per second, where two of ten columns are redacted. */
const targetShare = 0.15;
const cases = casesOf(benchSize);
const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '36' }, protocol: { type: 'string' }, target: { type: 'boolean' } },
});
/** Six are the fewest that bound an interval at 95% (signed ranks). */
const wantedRounds = Math.max(6, Number(flags.rounds));
const protocols = (['flight', 'http'] as const).filter((one) => flags.protocol === undefined || flags.protocol === one);

const numbers = cases.flatMap(({ hasTarget }, number) => (hasTarget || number === 0 || !flags.target ? [number] : []));

interface Rate {
  /** Per ms. */
  rows: number;
  /** Per ms. */
  bytes: number;
  /** CPU time of the service. */
  cpuNsPerRow: number;
}

const processes = await ServiceAndClient.start(benchSize);

async function measure(protocol: ReadOrder['protocol'], number: number): Promise<Rate> {
  const { rows } = (cases[number] as Case).table;
  const { ms, bytes, serviceCpuUs } = await processes.measure(protocol, number);
  return { rows: rows / ms, bytes: bytes / ms, cpuNsPerRow: (1000 * serviceCpuUs) / rows };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

function report(protocol: string, rates: ReadonlyMap<number, Rate[]>): void {
  const rounds = Math.max(...[...rates.values()].map(({ length }) => length));
  console.log(`\n${rounds} rounds in turn:`);
  console.log(
    `\n| over ${protocol} | M rows/s | GB/s sent | service CPU ns/row | CPU s/GB | CPU to no rules | rows/s to no rules | cost |\n|---|${'---:|'.repeat(7)}`,
  );
  for (const i of numbers) {
    const { name, rules, table, hasTarget } = cases[i] as Case;
    const medianOf = (value: (rate: Rate) => number): number => median((rates.get(i) ?? []).map(value));
    const speed = [
      (medianOf(({ rows }) => rows) / 1000).toFixed(2),
      (medianOf(({ bytes }) => bytes) / 1e6).toFixed(2),
      medianOf(({ cpuNsPerRow }) => cpuNsPerRow).toFixed(0),
      medianOf(({ cpuNsPerRow, rows, bytes }) => (cpuNsPerRow * rows) / bytes).toFixed(2),
    ];
    console.log(`| ${name} | ${speed.join(' | ')} | ${rules ? costOf(rates, i, table, hasTarget) : ' | | '} |`);
  }
}

function costOf(rates: ReadonlyMap<number, Rate[]>, i: number, table: object, hasTarget: true | undefined): string {
  const plain = cases.findIndex(({ rules, table: own }) => !rules && own === table);
  const ratioOf = (value: (rate: Rate) => number): ReturnType<typeof pairedRatio> =>
    pairedRatio((rates.get(plain) ?? []).map(value), (rates.get(i) ?? []).map(value), 0.05);
  const cpu = ratioOf(({ cpuNsPerRow }) => cpuNsPerRow);
  const { estimate, interval } = ratioOf(({ rows }) => rows);
  const [low, high] = interval.map((end) => 1 - end).reverse() as [number, number];
  const judged = high <= targetShare ? 'met' : low > targetShare ? 'missed' : 'undecided';
  const verdict = hasTarget ? ` (target ≤ ${percent(targetShare)}: ${judged})` : '';
  const cpuText = `${cpu.estimate.toFixed(2)} [${cpu.interval.map((end) => end.toFixed(2)).join(', ')}]`;
  return `${cpuText} | ${estimate.toFixed(3)} | ${percent(1 - estimate)} [${percent(low)}, ${percent(high)}]${verdict}`;
}

console.log(`Node.js ${process.version}, ${cpus().length} cores; batches of ${benchSize.batchRows} rows`);
try {
  for (const protocol of protocols) {
    report(protocol, await measureInTurns(numbers, wantedRounds, (number) => measure(protocol, number)));
  }
  console.log(
    '\nSpeeds are medians; ratios of neighbours in a round with their 95% intervals (signed ranks). A negative cost: less is sent.',
  );
} finally {
  processes.stop();
}
