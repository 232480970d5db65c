/** Arrow schemas as JSON Schema, through JSON text and back. */
import { Field, Int32, Schema, Struct, Utf8 } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObjectSchema } from '../../src/protocol/messages.ts';
import { arrowSchemaOf, jsonSchemaOf } from '../../src/schema/json-schema.ts';

const throughJson = (schema: Schema): JsonObjectSchema => JSON.parse(JSON.stringify(jsonSchemaOf(schema)));
const namesOf = ({ fields }: Pick<Schema, 'fields'>): string[] => fields.map(({ name }) => name);

describe('the columns of a stream', () => {
  it('keep their order, also with names that are numbers, and within documents', () => {
    // An object of JavaScript has such names first, in the order of the numbers.
    const name = fc.oneof(fc.nat(30).map(String), fc.string());
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const fields = names.map((one) => new Field(one, new Int32(), true));
        const schema = new Schema([...fields, new Field('all of them', new Struct(fields), true)]);
        expect(String(arrowSchemaOf(throughJson(schema)))).toBe(String(schema));
      }),
    );
  });

  it('are those that the client left, and those of connectors without an order', () => {
    const fields = ['b', '2', 'a', '1'].map((name) => new Field(name, new Utf8(), true));
    const { properties, arrow_order, ...rest } = throughJson(new Schema(fields));
    const { 2: _removed, ...left } = properties;
    expect(namesOf(arrowSchemaOf({ ...rest, properties: left, ...(arrow_order && { arrow_order }) }))).toEqual([
      ...['b', 'a', '1'],
    ]);
    expect(namesOf(arrowSchemaOf({ properties }))).toEqual(['1', '2', 'b', 'a']);
  });
});
