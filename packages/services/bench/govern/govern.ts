/**
 * What rules cost a stream, by kind of rule: ten columns of 110 bytes a row, over Flight and over HTTP on loopback,
 * from a service to a client, each a process. With rules and without take turns in every round; the figure is the
 * share of the rows per second that rules cost.
 *
 * Usage: npm run bench:govern [-- [--rounds N] [--protocol flight|http] [--target]]; with --target only the cases
 * that have one
 */
import { type ChildProcess, fork } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, pairedRatio } from '@topo-bench/stats';
import { batchRows, cases } from './cases.ts';
import type { ReadOrder, ReadResult } from './client.ts';

/** Costs no more than this share of the rows per second, where two of ten columns are redacted. */
const targetShare = 0.15;
/** Six are the fewest that bound an interval at 95% (signed ranks). */
const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '25' }, protocol: { type: 'string' }, target: { type: 'boolean' } },
});
const rounds = Math.max(6, Number(flags.rounds));
const protocols = (['flight', 'http'] as const).filter((one) => flags.protocol === undefined || flags.protocol === one);

const numbers = cases.flatMap(({ hasTarget }, number) => (hasTarget || number === 0 || !flags.target ? [number] : []));

interface Rate {
  /** Per ms. */
  rows: number;
  /** Per ms. */
  bytes: number;
  /** Of the service. */
  cpuNsPerRow: number;
}

function start(script: string): ChildProcess {
  const path = fileURLToPath(new URL(`${script}.ts`, import.meta.url));
  // A CPU profile or a trace of garbage collections is of all three processes.
  const observed = process.execArgv.filter((arg) => /^--(cpu-prof|trace-gc)/.test(arg));
  return fork(path, [], { execArgv: ['--import', 'tsx', ...observed] });
}

function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process of the bench ended'));
    child.once('exit', ended).once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = next<T>(child);
  child.send(message);
  return answer;
}

const service = start('service');
const { location, url } = await next<{ location: string; url: string }>(service);
const client = start('client');

async function measure(protocol: ReadOrder['protocol'], number: number): Promise<Rate> {
  const rows = (cases[number] as (typeof cases)[number]).table.rows;
  const before = await ask<NodeJS.CpuUsage>(service, {});
  const order: ReadOrder = { protocol, address: protocol === 'flight' ? location : url, number };
  const { ms, bytes } = await ask<ReadResult>(client, order);
  const after = await ask<NodeJS.CpuUsage>(service, {});
  const cpuUs = after.user + after.system - before.user - before.system;
  return { rows: rows / ms, bytes: bytes / ms, cpuNsPerRow: (1000 * cpuUs) / rows };
}

/** @returns rates by case and round */
async function measureAll(protocol: ReadOrder['protocol']): Promise<Rate[][]> {
  const rates = cases.map(() => [] as Rate[]);
  for (let round = -2; round < rounds; round++) {
    for (let turn = 0; turn < numbers.length; turn++) {
      // Every case follows every other one; the first rounds warm up.
      const at = (turn * (round % 2 === 0 ? 1 : numbers.length - 1) + round + numbers.length) % numbers.length;
      const number = numbers[at] as number;
      const rate = await measure(protocol, number);
      if (round >= 0) rates[number]?.push(rate);
    }
  }
  return rates;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

function report(protocol: string, rates: readonly Rate[][]): void {
  console.log(
    `\n| over ${protocol} | M rows/s | GB/s sent | service CPU ns/row | rows/s to no rules | cost |\n|---|---:|---:|---:|---:|---:|`,
  );
  for (const i of numbers) {
    const { name, rules, table, hasTarget } = cases[i] as (typeof cases)[number];
    const medianOf = (value: (rate: Rate) => number): number => median((rates[i] ?? []).map(value));
    const speed = [
      (medianOf(({ rows }) => rows) / 1000).toFixed(2),
      (medianOf(({ bytes }) => bytes) / 1e6).toFixed(2),
      medianOf(({ cpuNsPerRow }) => cpuNsPerRow).toFixed(0),
    ];
    console.log(`| ${name} | ${speed.join(' | ')} | ${rules ? costOf(rates, i, table, hasTarget) : ' | '} |`);
  }
}

function costOf(rates: readonly Rate[][], i: number, table: object, hasTarget: true | undefined): string {
  const rowsOf = (at: number): number[] => (rates[at] ?? []).map(({ rows }) => rows);
  const plain = cases.findIndex(({ rules, table: own }) => !rules && own === table);
  const { estimate, interval } = pairedRatio(rowsOf(plain), rowsOf(i), 0.05);
  const [low, high] = interval.map((end) => percent(1 - end)).reverse();
  const verdict = hasTarget
    ? ` (target ≤ ${percent(targetShare)}: ${1 - estimate <= targetShare ? 'met' : 'missed'})`
    : '';
  return `${estimate.toFixed(3)} | ${percent(1 - estimate)} [${low}, ${high}]${verdict}`;
}

console.log(
  `Node.js ${process.version}, ${cpus().length} cores; batches of ${batchRows} rows, ${rounds} rounds in turn`,
);
try {
  for (const protocol of protocols) report(protocol, await measureAll(protocol));
  console.log(
    '\nSpeeds are medians; ratios of neighbours in a round with their 95% intervals (signed ranks). A negative cost: less is sent.',
  );
} finally {
  client.disconnect();
  service.disconnect();
}
