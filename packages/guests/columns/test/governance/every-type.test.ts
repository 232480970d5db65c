/** Every type of column under every mix of decisions, compared with the values as Apache Arrow reads them. */
import { BatchDecoder, BatchEncoder, encodeSchema } from '@topo-bench/arrow-flight/ipc';
import type { Decision } from '@topo-bench/core';
import type { RecordBatch } from 'apache-arrow';
import { expect, test } from 'vitest';
import { everyTypeBatch, valuesOf } from '../../../../libraries/arrow-flight/test/fixtures/every-type.ts';
import { GovernedStream } from '../../src/governance/governed-stream.ts';

const batch = everyTypeBatch();
const names = batch.schema.fields.map(({ name }) => name);
const facts = { class: 'row', purpose: 'contract', origin: undefined, consents: undefined, categories: {} };
const effects = ['allow', 'redact', 'deny'] as const;
/** Five rows that differ in this column. */
const identity = 'uint8';
const identities = [1, 2, undefined, 0, 255];

function decoded(batches: readonly RecordBatch[], stream: GovernedStream): RecordBatch[] {
  const [encoder, decoder] = [new BatchEncoder(), new BatchDecoder()];
  decoder.decode(encodeSchema(stream.schema), new Uint8Array(0));
  return batches
    .flatMap((one) => encoder.encode(one))
    .flatMap(({ metadata, body }) => decoder.decode(metadata, new Uint8Array(Buffer.concat(body))) ?? []);
}

test('columns of every type have the values of rows that pass and nulls for redacted ones', () => {
  for (let mix = 0; mix < effects.length ** batch.numRows; mix += 4) {
    const effectOf = (row: number) => effects[Math.floor(mix / 3 ** row) % 3] as (typeof effects)[number];
    const decide = (payload: Readonly<Record<string, unknown>>): Decision => {
      const effect = effectOf(identities.indexOf(payload[identity] as number | undefined));
      const remove = effect === 'redact' ? names.map((name) => `/${name}`) : [];
      return { effect, rule: effect, ruleIndex: 0, rules: [effect], remove, pseudonymise: [], to: undefined };
    };
    const stream = new GovernedStream(batch.schema, facts, {
      decide: ({ payload }) => decide(payload),
      asks: { origin: false, consents: false, payload: [identity] },
      refusal: () => undefined,
      mayPseudonymise: [],
      pseudonym: String,
    });
    // Twice: the second batch meets the dictionaries of the first.
    const passed = [batch, batch].flatMap((one) => stream.apply(one) ?? []);
    const kept = [...identities.keys()].filter((row) => effectOf(row) !== 'deny');
    expect(passed).toHaveLength(kept.length > 0 ? 2 : 0);
    const expected = valuesOf(batch).map((values) => {
      return kept.map((row) => (effectOf(row) === 'redact' ? null : values[row]));
    });
    for (const one of decoded(passed, stream)) expect(valuesOf(one)).toEqual(expected);
  }
});
