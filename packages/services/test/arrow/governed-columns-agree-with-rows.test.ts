/**
 * Rules on columns do what they do on rows: over ten thousand random batches under random rules, the stream that
 * governance leaves is the one that comes of deciding every row by the oracle and redacting it as JSON. And what was
 * withheld is nowhere in the bytes.
 */
import { createHmac } from 'node:crypto';
import { BatchDecoder, BatchEncoder, encodeSchema } from '@topo-bench/arrow-flight/ipc';
import { GovernedStream } from '@topo-bench/columns';
import { jsonRows } from '@topo-bench/columns/http';
import { type ExpandedRule, type RequestFacts, type RuleSet, randomStream } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import { rightDecision } from '@topo-bench/oracle';
import {
  Bool,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  LargeUtf8,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  Utf8View,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { streamRules } from '../../src/arrow/stream-rules.ts';

const minBatches = 10_000;
/** Slices of larger batches, each of which has dictionaries of its own. */
const sourcesPerRound = 4;
const slicesPerSource = 5;
const random = randomStream(2026, 'governed columns');
const target = { service: 'svc-1', node: 'node-1', region: 'us', tags: ['analytics'] };
const key = 'a key of this run';
const pseudonym = (value: unknown): string => createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
const categories = { email: 'personal', id: 'personal', address: 'personal', amount: 'payment', flag: 'health' };

type Row = Record<string, unknown>;

const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)] as T;
const chance = (share: number): boolean => random.uniform() < share;
const some = <T>(list: readonly T[]): T[] => list.filter(() => chance(0.4));

function randomRow(number: number): Row {
  const row: Row = {
    region: pick(['eu', 'us', 'apac', '']),
    consents: some(['marketing', 'research']),
    amount: pick([0, 1.5, 99, 250]),
    kind: pick(['order', 'return', 'å']),
    email: `secret-${number}@example.org`,
    id: BigInt(number),
    address: { city: `town-${number}`, zip: random.integer(9) },
    flag: chance(0.5),
    tags: some(['a', 'b', `label-${number}`]),
  };
  for (const name of Object.keys(row)) if (chance(0.1)) row[name] = null;
  return row;
}

const textTypes = [
  () => new Utf8(),
  () => new LargeUtf8(),
  () => new Utf8View(),
  () => new Dictionary(new Utf8(), new Int32()),
];

function randomSchema(): Schema {
  const text = (): DataType => pick(textTypes)();
  return new Schema(
    Object.entries({
      region: text(),
      consents: new List(new Field('item', new Utf8(), true)),
      amount: new Float64(),
      kind: text(),
      email: text(),
      id: new Int64(),
      address: new Struct([new Field('city', text(), true), new Field('zip', new Int32(), true)] as Field[]),
      flag: new Bool(),
      tags: new List(new Field('item', text(), true)),
    }).map(([name, type]) => new Field(name, type, true)),
  );
}

/** The library cannot build views or dictionaries inside of others from rows alone, so columns are built one by one. */
function batchOf(schema: Schema, rows: readonly Row[]): RecordBatch {
  const children = schema.fields.map(
    ({ name, type }) =>
      vectorFromArray(
        rows.map((row) => row[name]),
        type,
      ).data[0] as Data,
  );
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }),
  );
}

function randomBatches(schema: Schema, nextRow: () => Row): { batch: RecordBatch; rows: Row[] }[] {
  return Array.from({ length: sourcesPerRound }).flatMap(() => {
    const ends = [0];
    for (let i = 0; i < slicesPerSource; i++) ends.push((ends[i] as number) + 1 + random.integer(8));
    const rows = Array.from({ length: ends[slicesPerSource] as number }, nextRow);
    const source = batchOf(schema, rows);
    return ends.slice(1).map((to, i) => ({ batch: source.slice(ends[i], to), rows: rows.slice(ends[i], to) }));
  });
}

function randomCondition(depth: number): Condition {
  if (depth > 0 && chance(0.4)) {
    const parts = [randomCondition(depth - 1), randomCondition(depth - 1)];
    return pick<Condition>([{ all: parts }, { any: parts }, { not: parts[0] as Condition }]);
  }
  return pick<Condition>([
    { fact: 'request', path: '$.origin', operator: pick(['equal', 'notEqual']), value: pick(['eu', 'us', '']) },
    {
      fact: 'request',
      path: '$.consents',
      operator: pick(['contains', 'doesNotContain']),
      value: pick(['marketing', 'research']),
    },
    { fact: 'request', path: '$.payload.amount', operator: pick(['greaterThan', 'lessThanInclusive']), value: 50 },
    { fact: 'request', path: '$.payload.kind', operator: pick(['equal', 'notEqual']), value: 'å' },
    { fact: 'request', path: '$.payload.address.zip', operator: 'lessThan', value: 4 },
    { fact: 'request', path: '$.payload.tags[0]', operator: 'equal', value: 'a' },
    { fact: 'request', path: '$.purpose', operator: 'equal', value: pick(['contract', 'marketing']) },
    { fact: 'request', path: '$.categories', operator: 'contains', value: pick(['health', 'genetic']) },
    { fact: 'target', path: '$.region', operator: 'equal', value: pick(['us', 'eu']) },
    { fact: 'request', path: '$.origin', operator: 'equal', value: { fact: 'target', path: '$.region' } },
  ]);
}

function randomRules(): RuleSet {
  const rules = Array.from({ length: 1 + random.integer(5) }, (_, index): ExpandedRule => {
    const effect = pick(['deny', 'redact', 'redact', 'redact', 'allow', 'reroute'] as const);
    const removable = [
      '/email',
      '/id',
      '/address',
      '/address/city',
      '/amount',
      '/flag',
      '/tags',
      '/kind',
      '/region',
      '/nowhere',
    ];
    const remove = effect === 'redact' ? [pick(removable), ...some(removable).slice(0, 2)] : [];
    const pseudonymise = effect === 'redact' ? some(['/email', '/id', '/address/zip', '/kind']).slice(0, 2) : [];
    const to = effect === 'reroute' ? 'elsewhere' : undefined;
    return {
      index,
      id: `rule-${index}`,
      priority: 1 + random.integer(3),
      when: randomCondition(2),
      effect,
      remove,
      pseudonymise,
      to,
    };
  });
  return { default: pick(['allow', 'allow', 'deny']), conditions: {}, rules };
}

function factsOf(row: Row): RequestFacts {
  const payload = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  if ('id' in payload) payload.id = Number(payload.id);
  return {
    class: 'row',
    purpose: 'contract',
    origin: (row.region as string | null) ?? '',
    consents: (row.consents as string[] | null) ?? [],
    categories: [...new Set(Object.values(categories))],
    payload,
  };
}

/** The value that a pointer leads to; `change` gives what takes its place, undefined for nothing. */
function changed(payload: Row, pointer: string, change: (value: unknown) => unknown): Row {
  const [first, ...rest] = pointer.slice(1).split('/') as [string, ...string[]];
  if (!Object.hasOwn(payload, first)) return payload;
  const { [first]: value, ...others } = payload;
  const next = rest.length > 0 ? changed(value as Row, `/${rest.join('/')}`, change) : change(value);
  return next === undefined ? others : { ...others, [first]: next };
}

/** Columns that may hold pseudonyms are text throughout. */
function asText(payload: Row, pointers: readonly string[]): Row {
  return pointers.reduce(
    (row, pointer) => changed(row, pointer, (v) => (typeof v === 'string' ? v : JSON.stringify(v))),
    payload,
  );
}

type Effect = 'allow' | 'deny' | 'redact' | 'reroute';
interface Expected {
  effect: Effect;
  /** Undefined when the row does not pass. */
  left: Row | undefined;
  /** Bytes of withheld values, by category. */
  withheld: Record<string, number>;
}

function expectedRow(rules: RuleSet, row: Row, mayPseudonymise: readonly string[]): Expected {
  const request = factsOf(row);
  const decision = rightDecision(rules, { request, target, flow: { services: [], regions: [] } });
  if (decision.effect === 'deny' || decision.effect === 'reroute') {
    return { effect: decision.effect, left: undefined, withheld: withheldBytes(row, Object.keys(categories)) };
  }
  let left = request.payload;
  for (const pointer of decision.pseudonymise) left = changed(left, pointer, pseudonym);
  for (const pointer of decision.remove) left = changed(left, pointer, () => undefined);
  const paths = [...decision.pseudonymise, ...decision.remove].map((pointer) => pointer.slice(1));
  return { effect: decision.effect, left: asText(left, mayPseudonymise), withheld: withheldBytes(row, paths) };
}

const widths: Record<string, number> = { id: 8, amount: 8, flag: 1, 'address/zip': 4 };

/** @param paths `column` or `column/member`; of one and one below it the upper counts */
function withheldBytes(row: Row, paths: readonly string[]): Record<string, number> {
  const bytes: Record<string, number> = {};
  for (const path of new Set(paths)) {
    const [column, member] = path.split('/') as [string, string?];
    const category = Object.entries(categories).find(([name]) => name === column)?.[1];
    const value = member ? (row[column] as Row | null)?.[member] : row[column];
    if (!category || (member && paths.includes(column)) || value === null || value === undefined) continue;
    const size = widths[path] ?? Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
    bytes[category] = (bytes[category] ?? 0) + size;
  }
  return bytes;
}

async function rowsOf(batches: RecordBatch[]): Promise<Row[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonRows(batches, 'array')) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString()) as Row[];
}

test(`the result on columns is the row-wise one on ${minBatches} batches, and so are its counts`, async () => {
  let rowsSeen = 0;
  let batchesSeen = 0;
  while (batchesSeen < minBatches) {
    const rules = randomRules();
    const schema = randomSchema();
    const facts = { class: 'row', purpose: 'contract', origin: 'region', consents: 'consents', categories };
    const port = streamRules(rules, target, key);
    const context = JSON.stringify(rules);
    let stream: GovernedStream;
    try {
      stream = new GovernedStream(schema, facts, port);
    } catch (error) {
      expect((error as { code: string }).code, context).toBe('TB_ARROW_DENIED');
      for (let i = 0; i < 5; i++) expect(expectedRow(rules, randomRow(i), []).left, context).toBeUndefined();
      continue;
    }
    const encoder = new BatchEncoder();
    const decoder = new BatchDecoder();
    decoder.decode(encodeSchema(stream.schema), new Uint8Array(0));
    const decisions = { allow: 0, deny: 0, redact: 0, reroute: 0 };
    const exposureBytes: Record<string, number> = {};
    for (const { batch, rows } of randomBatches(schema, () => randomRow(rowsSeen++))) {
      const results = rows.map((row) => expectedRow(rules, row, port.mayPseudonymise));
      const expected = results.flatMap(({ left }) => (left ? [left] : []));
      batchesSeen++;
      for (const { effect, withheld } of results) {
        decisions[effect]++;
        for (const [name, bytes] of Object.entries(withheld)) exposureBytes[name] = (exposureBytes[name] ?? 0) + bytes;
      }

      const passed = stream.apply(batch);
      const messages = passed ? encoder.encode(passed) : [];
      const bodies = messages.map(({ body }) => new Uint8Array(Buffer.concat(body)));
      const back = messages.flatMap(({ metadata }, i) => decoder.decode(metadata, bodies[i] as Uint8Array) ?? []);
      expect(await rowsOf(back), context).toEqual(expected);

      const visible = JSON.stringify(expected);
      const sent = Buffer.concat(bodies).toString('latin1');
      for (const secret of rows.flatMap(({ email }) => (email ? [String(email)] : []))) {
        expect(sent.includes(secret), `${secret} under ${context}`).toBe(visible.includes(secret));
      }
    }
    const counts = stream.takeCounts();
    expect(counts.decisions, context).toEqual(decisions);
    // A category of which nothing was withheld may be there with 0.
    for (const name of new Set(Object.values(categories))) {
      expect(counts.exposureBytes[name] ?? 0, `${name} under ${context}`).toBe(exposureBytes[name] ?? 0);
    }
  }
}, 300_000);
