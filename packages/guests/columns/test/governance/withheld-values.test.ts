/**
 * The rows that must be left are computed here from the values alone; withheld bytes are searched for in the buffers.
 */
import { BatchEncoder } from '@topo-bench/arrow-flight/ipc';
import { type Decision, randomStream } from '@topo-bench/core';
import {
  Binary,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  FixedSizeBinary,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { GovernedStream } from '../../src/governance/governed-stream.ts';
import type { StreamRules } from '../../src/governance/stream-rules.ts';

const random = randomStream(11, 'withheld values');
const kinds = ['eu', 'us', '', 'x', 'usa', 'euro', 'eu-west-1', 'somewhere-else', 'å', 'åå'];
/** The double that these bytes are is a NaN, which a copy through numbers may change. */
const notNumbers = Buffer.from('0000000000f07fff0123456789abf17f', 'hex');

interface Column {
  type: DataType;
  /** @param mark six bytes that occur in this value alone */
  value(mark: Buffer): unknown;
}

const ascii = (mark: Buffer): string => mark.toString('hex');
const columns: Record<string, Column> = {
  text: { type: new Utf8(), value: (mark) => ascii(mark) + 'x'.repeat(random.integer(40)) },
  wide: { type: new Utf8(), value: (mark) => ascii(mark) + 'å'.repeat(random.integer(20)) },
  long: { type: new Utf8(), value: (mark) => ascii(mark) + 'y'.repeat(240 + random.integer(40)) },
  bytes: {
    type: new Binary(),
    value: (mark) => Buffer.concat([mark, notNumbers.subarray(0, random.integer(notNumbers.length))]),
  },
  id: { type: new Int64(), value: (mark) => BigInt(mark.readUIntLE(0, 6)) },
  at: { type: new TimestampMicrosecond(), value: (mark) => mark.readUIntLE(0, 5) },
  day: { type: new DateDay(), value: () => 864e5 * (1 + random.integer(20_000)) },
  price: {
    type: new Decimal(2, 20, 128),
    value: (mark) => Uint32Array.of(mark.readUInt32LE(), mark.readUInt16LE(4), 2, 0),
  },
  code: { type: new FixedSizeBinary(6), value: (mark) => mark },
  word: { type: new Dictionary(new Utf8(), new Int32()), value: (mark) => ascii(mark) },
};
const names = Object.keys(columns);
const schema = new Schema(
  [['kind', { type: new Utf8() }] as const, ...Object.entries(columns)].map(
    ([name, { type }]) => new Field(name, type, true),
  ),
);

interface Given {
  batch: RecordBatch;
  rows: Record<string, unknown>[];
  marks: Buffer[];
}

/** Sliced from a longer batch, to begin inside a byte of the bitmaps. */
function randomBatch(kindsOfBatch: readonly (string | null)[], nullShare: number): Given {
  const [before, length] = [random.integer(20), 1 + random.integer(150)];
  const marks = Array.from({ length: before + length }, () =>
    Buffer.from(Array.from({ length: 6 }, () => random.integer(256))),
  );
  const rows = marks.map((mark) => {
    const values = names.map((name) => [name, random.uniform() < nullShare ? null : columns[name]?.value(mark)]);
    return { kind: kindsOfBatch[random.integer(kindsOfBatch.length)], ...Object.fromEntries(values) };
  });
  const children = schema.fields.map(
    ({ name, type }) =>
      vectorFromArray(
        rows.map((row) => row[name]),
        type,
      ).data[0] as Data,
  );
  const whole = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }),
  );
  return { batch: whole.slice(before), rows: rows.slice(before), marks: marks.slice(before) };
}

type EffectName = 'allow' | 'redact' | 'deny';
const decision = (effect: EffectName): Decision => ({
  ...{ effect, rule: effect, ruleIndex: 0, rules: [effect], pseudonymise: [], to: undefined },
  remove: effect === 'redact' ? names.map((name) => `/${name}`) : [],
});

/** An object per call, as an engine may return. */
const rulesOf = (effectOf: (kind: unknown) => EffectName): StreamRules => ({
  decide: ({ payload }) => decision(effectOf(payload.kind)),
  asks: { origin: false, consents: false, payload: ['kind'] },
  refusal: () => undefined,
  mayPseudonymise: [],
  pseudonym: String,
});
const facts = { class: 'row', purpose: 'contract', origin: undefined, consents: undefined, categories: {} };

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array || value instanceof Uint32Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
    : String(value);

function rowsOf(batch: RecordBatch | undefined): unknown[] {
  return (batch?.toArray() ?? []).map((row: { toJSON(): object }) =>
    Object.values(row.toJSON()).map((value) => (value === null ? null : plain(value))),
  );
}

function expectGoverned(stream: GovernedStream, { batch, rows, marks }: Given, effectOf: (kind: unknown) => string) {
  const left = stream.apply(batch);
  // Values of the batch as Apache Arrow reads them; the rules by the rows that they were made from.
  const original = rowsOf(batch) as (string | null)[][];
  const expected = original.flatMap((values, i) => {
    const effect = effectOf(rows[i]?.kind ?? undefined);
    if (effect === 'deny') return [];
    return [effect === 'redact' ? values.map((value, column) => (column === 0 ? value : null)) : values];
  });
  expect(rowsOf(left)).toEqual(expected);
  const messages = left ? new BatchEncoder().encode(left) : [];
  const sent = Buffer.concat(messages.flatMap(({ body }) => body));
  marks.forEach((mark, i) => {
    if (effectOf(rows[i]?.kind ?? undefined) === 'allow') return;
    expect([i, sent.indexOf(mark), sent.indexOf(mark.toString('hex'))]).toEqual([i, -1, -1]);
  });
  const counts = { allow: 0, redact: 0, deny: 0, reroute: 0 };
  for (const { kind } of rows) counts[effectOf(kind ?? undefined) as 'allow']++;
  expect(stream.takeCounts().decisions).toEqual(counts);
}

test('a stream has the values of rows that pass, and no byte of a withheld value', () => {
  for (let round = 0; round < 15; round++) {
    const effects = new Map<unknown, EffectName>();
    const effectOf = (kind: unknown): EffectName => {
      const effect = effects.get(kind) ?? (['allow', 'redact', 'deny'][random.integer(3)] as EffectName);
      effects.set(kind, effect);
      return effect;
    };
    const stream = new GovernedStream(schema, facts, rulesOf(effectOf));
    for (let i = 0; i < 3; i++) {
      const own = kinds.filter(() => random.uniform() < 0.7);
      expectGoverned(stream, randomBatch([...own, 'eu', i === 1 ? null : 'us'], (round % 3) / 10), effectOf);
    }
  }
});

test('a value is withheld where the column has no place for the pseudonym of a rule', () => {
  const effectOf = (kind: unknown): EffectName => (kind === 'eu' ? 'redact' : 'allow');
  const rules = rulesOf(effectOf);
  const decide: StreamRules['decide'] = (given) => {
    const { remove, ...decided } = rules.decide(given) as Decision;
    return { ...decided, remove: [], pseudonymise: remove };
  };
  const given = randomBatch(['eu', 'us'], 0.1);
  expectGoverned(new GovernedStream(schema, facts, { ...rules, decide }), given, effectOf);
});
