/** The connectors of all stores yield the values that were written, through JSON and back. */
import { randomBytes } from 'node:crypto';
import { batchOfRows, loadTable, nameOfTable, type SourceTable, TableChecksum } from '@topo-bench/sources';
import { Field, Float32, Float64, Int32, Schema, Utf8 } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnCases } from '../../../sources/test/fixtures/column-types.ts';
import { schemaShape } from '../../../sources/test/fixtures/schema-shape.ts';
import { kinds, startStores, type TestStores } from '../../../sources/test/fixtures/test-stores.ts';
import { rowsOfLines } from '../../src/conversion/record-lines.ts';
import { reportOf } from '../../src/protocol/report.ts';
import { arrowSchemaOf } from '../../src/schema/json-schema.ts';
import {
  configured,
  connectorText,
  discoverStream,
  ofType,
  recordsOf,
  runConnector,
} from '../fixtures/run-connector.ts';

let stores: TestStores;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

function configOf(table: SourceTable): { config: object; stream: string } {
  if (table.kind === 'parquet') return { config: { files: [table.file] }, stream: 'all_types' };
  if (table.kind === 'mongodb') {
    const { url, database, collection } = table;
    return { config: { url, database, collections: [collection] }, stream: collection };
  }
  return { config: { url: table.url, tables: [table.table ?? ''] }, stream: table.table ?? '' };
}

describe.each(kinds)('the connector of %s', (kind) => {
  it('yields the same table, and only new rows after its state', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const cases = columnCases.filter((column) => column.kinds.includes(kind));
    const fields = cases.map(({ name, type }) => new Field(name, type, true));
    const schema = new Schema([new Field('id', new Int32(), true), ...fields]);
    // JSON has no NaN and no infinity.
    const finite = (value: unknown): unknown => (typeof value === 'number' && !Number.isFinite(value) ? 0 : value);
    const row = fc.record(
      Object.fromEntries(cases.map(({ name, values }) => [name, fc.option(values.map(finite), { freq: 8 })])),
    );
    const table = stores.table(kind, 'all_types');
    const { config, stream: name } = configOf(table);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (values) => {
        const written = batchOfRows(
          schema,
          values.map((value, id) => ({ ...value, id })),
        );
        await loadTable(table, { schema, batches: () => [written] });
        const stream = await discoverStream(kind, config, name);
        expect(schemaShape(arrowSchemaOf(stream.json_schema)), nameOfTable(table)).toEqual(schemaShape(schema));
        const text = await connectorText(kind, 'read', { config, catalog: configured(stream) });
        const [expected, read] = [new TableChecksum(), new TableChecksum()];
        expected.addBatch(written);
        const chunks = (async function* () {
          yield text;
        })();
        for await (const rows of rowsOfLines(chunks, stream, schema, 7)) read.addBatch(batchOfRows(schema, rows));
        expect(read.digest()).toEqual(expected.digest());

        const catalog = configured(stream, 'incremental', 'id');
        const first = await runConnector(kind, 'read', { config, catalog });
        expect(recordsOf(first)).toHaveLength(values.length);
        const state = ofType(first, 'STATE').map((message) => message.state);
        expect(recordsOf(await runConnector(kind, 'read', { config, catalog, state }))).toEqual([]);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('refuses NaN and infinities, which JSON lacks', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const floats = [new Float32(), new Float64()].map((type) => new Field(`f${type.precision}`, type, true));
    const schema = new Schema([new Field('id', new Int32(), true), ...floats]);
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0.5, null];
    const written = batchOfRows(
      schema,
      values.map((value, id) => ({ id, ...Object.fromEntries(floats.map(({ name }) => [name, value])) })),
    );
    const table = stores.table(kind, 'all_types');
    const { config, stream: name } = configOf(table);
    await loadTable(table, { schema, batches: () => [written] });
    const stream = await discoverStream(kind, config, name);
    const messages = await runConnector(kind, 'read', { config, catalog: configured(stream) });
    const errors = ofType(messages, 'TRACE').flatMap(({ trace }) => trace.error ?? []);
    expect(errors).toMatchObject([
      { internal_message: 'TB_SOURCE_VALUE', message: expect.stringMatching(/column f\d: got NaN, expected a number/) },
    ]);
  });

  it('ends a full refresh after its limit as a whole stream, and no incremental read', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const schema = new Schema([new Field('id', new Int32(), true)]);
    const ids = Array.from({ length: 5000 }, (_, id) => ({ id }));
    const table = stores.table(kind, 'all_types');
    const { config, stream: name } = configOf(table);
    await loadTable(table, { schema, batches: () => [batchOfRows(schema, ids)] });
    const stream = await discoverStream(kind, config, name);
    const text = await connectorText(kind, 'read', { config, catalog: configured(stream) }, { limitRows: 3 });
    const rows: unknown[] = [];
    const chunks = (async function* () {
      yield text;
    })();
    for await (const some of rowsOfLines(chunks, stream, schema, 2)) rows.push(...some);
    expect(rows).toHaveLength(3);
    const documents = { config, catalog: configured(stream, 'incremental', 'id') };
    const whole = await connectorText(kind, 'read', documents, { limitRows: 3 });
    expect(whole.match(/"type":"RECORD"/g)).toHaveLength(5000);
  });

  it('reports the bytes of the store', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const schema = new Schema([new Field('id', new Int32(), true), new Field('note', new Utf8(), true)]);
    // Random: no codec makes it smaller.
    const notes = Array.from({ length: 2000 }, (_, id) => ({ id, note: randomBytes(500).toString('base64') }));
    const table = stores.table(kind, 'all_types');
    const { config, stream: name } = configOf(table);
    await loadTable(table, { schema, batches: () => [batchOfRows(schema, notes)] });
    const catalog = configured(await discoverStream(kind, config, name));
    const text = await connectorText(kind, 'read', { config, catalog });
    const { report } = reportOf(Buffer.from(text));
    const bytes = 2000 * (notes[0]?.note.length ?? 0);
    expect(report?.storeBytes).toBeGreaterThan(0.7 * bytes);
    expect(report?.storeBytes).toBeLessThan(2 * bytes);
  });
});
