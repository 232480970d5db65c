/**
 * What rules cost a stream, by kind of rule: ten columns of 110 bytes a row over HTTP on loopback, to a client in a thread of its own that drops
 * them. With rules and without take turns in every round; the figure is what rules leave of the rows per second.
 *
 * Usage: npm run bench:govern
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ExpandedRule } from '@topo-bench/core/rule-set';
import type { Condition } from '@topo-bench/core/schema/rules';
import { streamRules } from '@topo-bench/services/arrow/stream-rules';
import { median } from '@topo-bench/stats/quantile';
import { pairedRatio } from '@topo-bench/stats/ratio';
import { GovernedStream } from '../src/governance/governed-stream.ts';
import type { StreamRules } from '../src/governance/stream-rules.ts';
import { type ArrowSource, answerArrow } from '../src/http/arrow-resource.ts';
import { SeededTable } from '../src/http/seeded-table.ts';

const rounds = 25;
const batchRows = 100_000;
/** Costs no more than this share of the rows per second, where two of ten columns are redacted. */
const targetShare = 0.15;

const plain = { category: 'none', nulls: 0, size: 16, values: undefined };
const facts = { class: 'row', purpose: 'contract', origin: 'region', consents: undefined };
const columns = [
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ ...plain, name, type: 'int64' as const })),
  { ...plain, name: 'region', type: 'text' as const, values: ['eu', 'us'] },
  { ...plain, name: 'email', type: 'text' as const, size: 24, category: 'personal' },
  { ...plain, name: 'customer', type: 'text' as const, size: 16, category: 'personal' },
  { ...plain, name: 'id', type: 'int64' as const, category: 'personal' },
];
const categories = { email: 'personal', customer: 'personal', id: 'personal' };
/** The last of the numbers gives way to a list of consents. */
const consentColumns = columns.map((column) =>
  column.name === 'f' ? { ...plain, name: 'consents', type: 'texts' as const, values: ['marketing', 'research'] } : column,
);

const always: Condition = { fact: 'request', path: '$.class', operator: 'equal', value: 'row' };
const ofEu: Condition = { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' };
const unasked: Condition = { fact: 'request', path: '$.consents', operator: 'doesNotContain', value: 'marketing' };

function rulesOf(when: Condition, effect: 'allow' | 'deny' | 'redact', remove: string[], pseudonymise: string[]): StreamRules {
  const rule: ExpandedRule = { index: 0, id: 'rule', priority: 1, when, effect, remove, pseudonymise, to: undefined };
  const target = { service: 'bench', node: 'node', region: 'eu', tags: [] };
  return streamRules({ default: 'allow', conditions: {}, rules: [rule] }, target, 'key');
}

interface Case {
  name: string;
  rules: StreamRules | undefined;
  table: SeededTable;
  hasTarget?: true;
}

const rows = 2_000_000;
const table = new SeededTable({ rows, batchRows, columns, facts }, 'bench', 1);
const consentTable = new SeededTable({ rows, batchRows, columns: consentColumns, facts }, 'bench', 1);
/** Every value is another one and costs an HMAC: few rows show it. */
const smallTable = new SeededTable({ rows: batchRows, batchRows, columns, facts }, 'bench', 1);
const redacted = ['/email', '/id'];
const cases: Case[] = [
  { name: 'no rules', rules: undefined, table },
  { name: 'rules that allow every row by its region', rules: rulesOf(ofEu, 'allow', [], []), table },
  { name: 'two columns removed', rules: rulesOf(always, 'redact', redacted, []), table, hasTarget: true },
  { name: 'two columns removed in rows of the EU', rules: rulesOf(ofEu, 'redact', redacted, []), table, hasTarget: true },
  { name: 'rows of the EU refused', rules: rulesOf(ofEu, 'deny', [], []), table },
  {
    name: 'two columns of different values pseudonymised',
    rules: rulesOf(always, 'redact', [], ['/email', '/customer']),
    table: smallTable,
  },
  { name: 'no rules, with a column of consents', rules: undefined, table: consentTable },
  {
    name: 'rows of the EU without consent refused',
    rules: rulesOf({ all: [ofEu, unasked] }, 'deny', [], []),
    table: consentTable,
  },
];

let current = cases[0] as Case;

function open(): ArrowSource {
  const { rules, table } = current;
  if (!rules) return { schema: table.schema, batches: (signal) => table.batches(signal) };
  const consents = table === consentTable ? 'consents' : undefined;
  const stream = new GovernedStream(table.schema, { ...facts, consents, categories }, rules);
  return {
    schema: stream.schema,
    async *batches(signal) {
      for await (const batch of table.batches(signal)) {
        const passed = stream.apply(batch);
        if (passed) yield passed;
      }
    },
  };
}

const server = createServer((request, response) => void answerArrow(request, response, open));
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/arrow`;
const reader = new Worker(
  `const { parentPort } = require('node:worker_threads'); const { get } = require('node:http');
  parentPort.on('message', (url) => { const started = performance.now(); get(url, (response) => { let bytes = 0;
    response.on('data', (chunk) => { bytes += chunk.length; });
    response.on('end', () => parentPort.postMessage({ ms: performance.now() - started, bytes })); }); });`,
  { eval: true },
);

interface Rate {
  /** Per ms. */
  rows: number;
  /** Per ms. */
  bytes: number;
  /** CPU of service and client. */
  cpuNsPerRow: number;
}

async function measure(given: Case): Promise<Rate> {
  current = given;
  const before = process.cpuUsage();
  const { ms, bytes } = await new Promise<{ ms: number; bytes: number }>((resolve) => {
    reader.once('message', resolve);
    reader.postMessage(url);
  });
  const { user, system } = process.cpuUsage(before);
  const { rows } = given.table;
  return { rows: rows / ms, bytes: bytes / ms, cpuNsPerRow: (1000 * (user + system)) / rows };
}

const rates = cases.map(() => [] as Rate[]);
for (let round = -2; round < rounds; round++) {
  for (let turn = 0; turn < cases.length; turn++) {
    // Every case follows every other one; the first rounds warm up.
    const i = (turn * (round % 2 === 0 ? 1 : cases.length - 1) + round + cases.length) % cases.length;
    const rate = await measure(cases[i] as Case);
    if (round >= 0) rates[i]?.push(rate);
  }
}

const rowsOf = (i: number): number[] => (rates[i] ?? []).map(({ rows }) => rows);
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
console.log(`Node.js ${process.version}, ${cpus().length} cores; batches of ${batchRows} rows, ${rounds} rounds in turn\n`);
console.log('| rules | M rows/s | GB/s sent | CPU ns/row | rows/s to no rules | cost |\n|---|---:|---:|---:|---:|---:|');
for (const [i, { name, rules, table: own, hasTarget }] of cases.entries()) {
  const medianOf = (value: (rate: Rate) => number): number => median((rates[i] ?? []).map(value));
  const gbps = medianOf(({ bytes }) => bytes) / 1e6;
  const speed = `${(medianOf((rate) => rate.rows) / 1000).toFixed(2)} | ${gbps.toFixed(2)} | ${medianOf(({ cpuNsPerRow }) => cpuNsPerRow).toFixed(0)}`;
  const ungoverned = Math.max(
    0,
    cases.findIndex(({ rules: others, table: its }) => !others && its === own),
  );
  const { estimate, interval } = pairedRatio(rowsOf(ungoverned), rowsOf(i), 0.05);
  const [low, high] = interval.map((end) => percent(1 - end)).reverse();
  const verdict = hasTarget ? ` (target ≤ ${percent(targetShare)}: ${1 - estimate <= targetShare ? 'met' : 'missed'})` : '';
  const ratio = rules ? `${estimate.toFixed(3)} | ${percent(1 - estimate)} [${low}, ${high}]${verdict}` : ' | ';
  console.log(`| ${name} | ${speed} | ${ratio} |`);
}
console.log(
  '\nSpeeds are medians; ratios of neighbours in a round with their 95% intervals (signed ranks). A negative cost: less is sent. CPU is that of service and client together.',
);
await reader.terminate();
server.close();
