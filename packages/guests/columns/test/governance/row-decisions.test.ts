/** Rows share a decision only if the rules cannot tell them apart. */
import type { Decision, RequestFacts } from '@topo-bench/core';
import {
  type Data,
  type DataType,
  Field,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { RowDecisions } from '../../src/governance/row-decisions.ts';

function decided(columns: Record<string, { type: DataType; values: unknown[] }>): RequestFacts['payload'][] {
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
  const children = Object.values(columns).map(({ type, values }) => vectorFromArray(values, type).data[0] as Data);
  const length = (children[0] as Data).length;
  const asked: RequestFacts['payload'][] = [];
  const rules = {
    decide: ({ payload }: RequestFacts): Decision => {
      asked.push(payload);
      return { effect: 'allow', rule: '', ruleIndex: 0, rules: [], remove: [], pseudonymise: [], to: undefined };
    },
    asks: { origin: false, consents: false, payload: 'everything' as const },
    refusal: () => undefined,
    mayPseudonymise: [],
    pseudonym: String,
  };
  const facts = { class: 'row', purpose: 'contract', origin: undefined, consents: undefined, categories: {} };
  const batch = new RecordBatch(
    new Schema(fields),
    makeData({ type: new Struct(fields), length, nullCount: 0, children }),
  );
  new RowDecisions(batch.schema, facts, rules).of(batch);
  return asked;
}

test('equal rows have one decision, different ones have their own', () => {
  const first = ['a', 'a","b', 'a', '', null, '-'];
  const second = ['b","c', 'c', 'b","c', null, '', '-'];
  const asked = decided({ first: { type: new Utf8(), values: first }, second: { type: new Utf8(), values: second } });
  expect(asked).toEqual([
    { first: 'a', second: 'b","c' },
    { first: 'a","b', second: 'c' },
    { first: '' },
    { second: '' },
    { first: '-', second: '-' },
  ]);
});

test('a number that is not finite differs from a missing one', () => {
  const asked = decided({ share: { type: new Float64(), values: [Number.NaN, null, 0, Number.NaN] } });
  expect(asked).toEqual([{ share: null }, {}, { share: 0 }]);
});

test('long values are decided row by row: the cache is bounded', () => {
  const long = 'x'.repeat(1000);
  expect(decided({ text: { type: new Utf8(), values: [long, long, 'short', 'short'] } })).toHaveLength(3);
});
