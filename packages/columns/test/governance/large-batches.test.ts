/**
 * Governance works on many rows at a time: words of 32, bytes of 8, four texts. Held here against itself row by row,
 * which the oracle of packages/services/test/arrow/governed-columns-agree-with-rows.test.ts holds against the rules;
 * and what is withheld is in no buffer.
 */
import { encodeBatch } from '@topo-bench/arrow-flight/ipc';
import { type Decision, type RequestFacts, randomStream } from '@topo-bench/core';
import {
  type RecordBatch as Batch,
  Binary,
  Bool,
  type Data,
  type DataType,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int64,
  LargeUtf8,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { GovernedStream } from '../../src/governance/governed-stream.ts';
import type { StreamCounts, StreamRules } from '../../src/governance/stream-rules.ts';
import { jsonRows } from '../../src/http/json-rows.ts';

const random = randomStream(7, 'large batches');
const categories = {
  tiny: 'personal',
  short: 'personal',
  long: 'payment',
  bytes: 'payment',
  wide: 'health',
  id: 'health',
};
const columns: Record<string, { type: DataType; value: (row: number) => unknown }> = {
  kind: { type: new Utf8(), value: () => undefined },
  tiny: { type: new Utf8(), value: () => 'abc'.slice(0, random.integer(4)) },
  short: { type: new Utf8(), value: (row) => `secret-${row}-${'x'.repeat(random.integer(20))}` },
  long: {
    type: new Utf8(),
    value: (row) => `secret-${row}-${'å'.repeat(random.integer(4) === 0 ? 300 : random.integer(9))}`,
  },
  bytes: { type: new Binary(), value: (row) => Buffer.from(`secret-${row}-`) },
  wide: { type: new LargeUtf8(), value: (row) => `secret-${row}-` },
  id: { type: new Int64(), value: (row) => BigInt(row) },
  share: { type: new Float64(), value: () => random.uniform() },
  half: { type: new Float32(), value: () => random.integer(1000) / 8 },
  count: { type: new Int16(), value: () => random.integer(1000) },
  level: { type: new Int8(), value: () => random.integer(100) },
  flag: { type: new Bool(), value: () => random.uniform() < 0.5 },
};
const names = Object.keys(columns);
const kinds = ['eu', 'us', 'x', 'apac', 'eu-west', 'eu-north-1', 'somewhere-else'];

/** Kinds of rows come in runs of up to so many: some words of rows have one decision. */
function randomBatch(rows: number, longestRun: number, nullShare: number): RecordBatch {
  const runs: string[] = [];
  while (runs.length < rows) {
    const kind = kinds[random.integer(kinds.length)] as string;
    runs.push(...Array.from({ length: 1 + random.integer(longestRun) }, () => kind));
  }
  const orNull = (value: unknown): unknown => (random.uniform() < nullShare ? null : value);
  const children = Object.entries(columns).map(([name, { type, value }]) => {
    const values = Array.from({ length: rows }, (_, row) => orNull(name === 'kind' ? runs[row] : value(row)));
    return vectorFromArray(values, type).data[0] as Data;
  });
  const schema = new Schema(Object.entries(columns).map(([name, { type }]) => new Field(name, type, true)));
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }));
}

/** Each kind has a decision, whatever it be: refused, or without some columns. */
function randomRules(): StreamRules {
  const decisions = new Map<unknown, Decision>();
  const decide = ({ payload }: RequestFacts): Decision => {
    const kind = payload.kind;
    const effect = random.uniform() < 0.2 ? 'deny' : random.uniform() < 0.6 ? 'redact' : 'allow';
    const remove = effect === 'redact' ? names.filter(() => random.uniform() < 0.5).map((name) => `/${name}`) : [];
    const decision =
      decisions.get(kind) ?? ({ effect, rule: 'rule', ruleIndex: 0, remove, pseudonymise: [] } as unknown as Decision);
    decisions.set(kind, decision);
    return decision;
  };
  return {
    decide,
    asks: { origin: false, consents: false, payload: ['kind'] },
    mayPseudonymise: [],
    pseudonym: String,
  };
}

const rowFacts = { class: 'row', purpose: 'contract', origin: undefined, consents: undefined, categories };

async function governed(
  batches: Batch[],
  rules: StreamRules,
): Promise<{ rows: unknown[]; counts: StreamCounts; sent: string; passed: Batch[] }> {
  const stream = new GovernedStream((batches[0] as Batch).schema, rowFacts, rules);
  const passed = batches.flatMap((batch) => stream.apply(batch) ?? []);
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonRows(passed, 'array')) pieces.push(piece);
  const sent = Buffer.concat(passed.flatMap((batch) => encodeBatch(batch).body)).toString('latin1');
  return { rows: JSON.parse(Buffer.concat(pieces).toString()) as unknown[], counts: stream.takeCounts(), sent, passed };
}

/** Numbers behind nulls, of which there were none in the batches given. */
function numbersBehindNulls({ data, schema }: Batch): unknown[] {
  return ['id', 'share', 'half', 'count', 'level'].flatMap((name) => {
    const column = data.children[schema.fields.findIndex((field) => field.name === name)] as Data;
    return Array.from({ length: column.length }, (_, row) =>
      column.getValid(row) ? 0 : Number(column.values[row]),
    ).filter((value) => value !== 0);
  });
}

const withoutZeros = (counts: Record<string, number>): unknown =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

test('a large batch is governed like each of its rows alone', async () => {
  let secrets = 0;
  for (let round = 0; round < 40; round++) {
    const rows = 1 + random.integer(300);
    const first = random.integer(40);
    const batch = randomBatch(rows + first, 1 + random.integer(2) * 70, random.integer(3) / 10).slice(first);
    const rules = randomRules();
    const whole = await governed([batch], rules);
    const single = await governed(
      Array.from({ length: rows }, (_, row) => batch.slice(row, row + 1)),
      rules,
    );
    const seed = `round ${round}`;
    expect(whole.rows, seed).toEqual(single.rows);
    expect(whole.counts.decisions, seed).toEqual(single.counts.decisions);
    expect(withoutZeros(whole.counts.exposureBytes), seed).toEqual(withoutZeros(single.counts.exposureBytes));
    expect(whole.passed.flatMap(numbersBehindNulls), seed).toEqual([]);
    const visible = new Set(JSON.stringify(whole.rows).match(/secret-\d+-/g));
    // Bytes are base64 in JSON.
    for (const { bytes } of whole.rows as { bytes?: string }[])
      if (bytes) visible.add(Buffer.from(bytes, 'base64').toString());
    for (const secret of whole.sent.match(/secret-\d+-/g) ?? []) {
      expect(visible.has(secret), `${secret} in ${seed}`).toBe(true);
      secrets++;
    }
  }
  expect(secrets).toBeGreaterThan(0);
});
