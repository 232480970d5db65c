/**
 * What the bench of governance compares: kinds of rules on a table of ten columns, and the same table without rules.
 */
import { BatchMemory, GovernedStream, SeededTable, type StreamRules } from '@topo-bench/columns';
import type { ExpandedRule } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import type { ServedStream } from '../../src/arrow/served-columns.ts';
import { streamRules } from '../../src/arrow/stream-rules.ts';

/** Size of the tables of the bench; tests take fewer rows. */
export const benchSize: TableSize = { rows: 2_000_000, batchRows: 100_000 };

export interface TableSize {
  rows: number;
  batchRows: number;
}

export interface Case {
  name: string;
  rules: StreamRules | undefined;
  table: SeededTable;
  /** Has the target of the bench: two of ten columns are redacted. */
  hasTarget?: true;
}

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
  column.name === 'f'
    ? { ...plain, name: 'consents', type: 'texts' as const, values: ['marketing', 'research'] }
    : column,
);

const always: Condition = { fact: 'request', path: '$.class', operator: 'equal', value: 'row' };
const ofEu: Condition = { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' };
const unasked: Condition = { fact: 'request', path: '$.consents', operator: 'doesNotContain', value: 'marketing' };

function rulesOf(
  when: Condition,
  effect: 'allow' | 'deny' | 'redact',
  remove: string[],
  pseudonymise: string[],
): StreamRules {
  const rule: ExpandedRule = { index: 0, id: 'rule', priority: 1, when, effect, remove, pseudonymise, to: undefined };
  const target = { service: 'bench', node: 'node', region: 'eu', tags: [] };
  return streamRules({ default: 'allow', conditions: {}, rules: [rule] }, target, 'key');
}

const redacted = ['/email', '/id'];

/** The tables are without their batches yet. */
export function casesOf({ rows, batchRows }: TableSize): Case[] {
  const tableOf = (own: typeof columns | typeof consentColumns, count: number): SeededTable =>
    new SeededTable({ rows: count, batchRows, columns: own, facts }, 'bench', 1);
  const table = tableOf(columns, rows);
  const consentTable = tableOf(consentColumns, rows);
  // Every value is another one and costs an HMAC: few rows show it.
  const smallTable = tableOf(columns, batchRows);
  return [
    { name: 'no rules', rules: undefined, table },
    { name: 'rules that allow every row by its region', rules: rulesOf(ofEu, 'allow', [], []), table },
    { name: 'two columns removed', rules: rulesOf(always, 'redact', redacted, []), table, hasTarget: true },
    {
      name: 'two columns removed in rows of the EU',
      rules: rulesOf(ofEu, 'redact', redacted, []),
      table,
      hasTarget: true,
    },
    { name: 'rows of the EU refused', rules: rulesOf(ofEu, 'deny', [], []), table },
    { name: `no rules, ${batchRows} rows`, rules: undefined, table: smallTable },
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
}

/** One stream of a case. */
export function sourceOf({ rules, table: own }: Case): ServedStream {
  if (!rules) {
    const chunks = async function* (signal: AbortSignal) {
      for await (const batch of own.batches(signal)) yield { batch };
    };
    return { schema: own.schema, batches: (signal) => own.batches(signal), chunks };
  }
  const consents = own.schema.names.includes('consents') ? 'consents' : undefined;
  const stream = new GovernedStream(own.schema, { ...facts, consents, categories }, rules);
  return {
    schema: stream.schema,
    batches: (signal) => stream.batches(own.batches(signal)),
    // As `ServedColumns` does.
    async *chunks(signal) {
      for await (const batch of own.batches(signal)) {
        const memory = new BatchMemory();
        const passed = stream.apply(batch, memory.allocate);
        if (passed) yield { batch: passed, onWritten: memory.release };
      }
    },
  };
}
