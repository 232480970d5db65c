/**
 * What the bench of governance compares: kinds of rules on a table of ten columns, and the same table without rules.
 */
import { GovernedStream, SeededTable, type StreamRules } from '@topo-bench/columns';
import type { ArrowSource } from '@topo-bench/columns/http';
import type { ExpandedRule } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import { streamRules } from '../../src/arrow/stream-rules.ts';

export const batchRows = 100_000;

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

const rows = 2_000_000;
const table = new SeededTable({ rows, batchRows, columns, facts }, 'bench', 1);
const consentTable = new SeededTable({ rows, batchRows, columns: consentColumns, facts }, 'bench', 1);
/** Every value is another one and costs an HMAC: few rows show it. */
const smallTable = new SeededTable({ rows: batchRows, batchRows, columns, facts }, 'bench', 1);
const redacted = ['/email', '/id'];

export const cases: Case[] = [
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
  { name: 'no rules, 100 000 rows', rules: undefined, table: smallTable },
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

/** One stream of a case. */
export function sourceOf({ rules, table: own }: Case): ArrowSource {
  if (!rules) return { schema: own.schema, batches: (signal) => own.batches(signal) };
  const consents = own === consentTable ? 'consents' : undefined;
  const stream = new GovernedStream(own.schema, { ...facts, consents, categories }, rules);
  return { schema: stream.schema, batches: (signal) => stream.batches(own.batches(signal)) };
}
