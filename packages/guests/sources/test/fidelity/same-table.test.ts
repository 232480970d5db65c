/** Each path yields the values that were written, and the same Arrow schema. */
import { Field, Int32, Schema } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOfRows, loadTable, TableChecksum } from '../../src/index.ts';
import { columnCases } from '../fixtures/column-types.ts';
import { expectedValue, plainRows } from '../fixtures/plain-values.ts';
import { schemaShape } from '../fixtures/schema-shape.ts';
import { kinds, startStores, type TestStores } from '../fixtures/test-stores.ts';
import { paths } from './paths.ts';

let stores: TestStores;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

describe.each(kinds)('a table of all types in %s', (kind) => {
  it('is the same by every path', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const cases = columnCases.filter((column) => column.kinds.includes(kind));
    const fields = cases.map(({ name, type }) => new Field(name, type, true));
    const schema = new Schema([new Field('id', new Int32(), true), ...fields]);
    const row = fc.record(Object.fromEntries(cases.map(({ name, values }) => [name, fc.option(values, { freq: 8 })])));
    const table = stores.table(kind, 'all_types');
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (values) => {
        const written = values.map((value, id) => ({ ...value, id }));
        const batch = batchOfRows(schema, written);
        await loadTable(table, { schema, batches: () => [batch] });
        const expected = new Map(
          written.map((row) => [
            row.id,
            Object.fromEntries(
              schema.fields.map(({ name, type }) => [
                name,
                expectedValue(type, (row as Record<string, unknown>)[name]),
              ]),
            ),
          ]),
        );
        const digests = new Set<string>();
        for (const path of paths.filter(({ kinds }) => kinds.includes(kind))) {
          const read = await path.read(table);
          expect(schemaShape(read.schema), path.name).toEqual(schemaShape(schema));
          expect(plainRows(read), path.name).toEqual(expected);
          const checksum = new TableChecksum();
          for (const batch of read.batches) checksum.addBatch(batch);
          digests.add(JSON.stringify(checksum.digest()));
        }
        const whole = new TableChecksum();
        whole.addBatch(batch);
        expect([...digests]).toEqual([JSON.stringify(whole.digest())]);
      }),
      { numRuns: 12 },
    );
  });
});
