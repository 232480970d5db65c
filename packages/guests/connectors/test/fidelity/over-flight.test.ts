/** What the converter of variant D and the exporter of variant E serve over Flight is the table that was written. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';
import { batchOfRows, loadTable, type SourceTable, TableChecksum } from '@topo-bench/sources';
import { type DataType, Field, Int32, type RecordBatch, Schema, Table } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnCases } from '../../../sources/test/fixtures/column-types.ts';
import { expectedValue, plainRows } from '../../../sources/test/fixtures/plain-values.ts';
import { schemaShape } from '../../../sources/test/fixtures/schema-shape.ts';
import { kinds, startStores, type TestStores } from '../../../sources/test/fixtures/test-stores.ts';
import { startConversion } from '../../src/conversion/convert.ts';
import { type Compression, exportedStream, flightUser } from '../../src/conversion/converter-settings.ts';
import { startExport } from '../../src/conversion/export.ts';
import { configured, connectorText, discoverStream } from '../fixtures/run-connector.ts';

let stores: TestStores;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

/** Small: several batches for few rows. */
const batchRows = 7;
const settings = { host: '127.0.0.1', flightPort: 0, flightToken: 'flight', batchRows };
const compressions: readonly Compression[] = ['none', 'lz4', 'zstd'];

type Read = (table: SourceTable, compression: Compression) => Promise<RecordBatch[]>;

async function readStream(port: number, stream: string): Promise<RecordBatch[]> {
  const client = new FlightClient(`grpc+tcp://127.0.0.1:${port}`);
  try {
    await client.authenticateBasic(flightUser, settings.flightToken);
    const batches: RecordBatch[] = [];
    for await (const batch of readFlight(client, await client.getFlightInfo({ path: [stream] }))) batches.push(batch);
    return batches;
  } finally {
    await client.close();
  }
}

function configOf(table: SourceTable): { config: object; stream: string } {
  if (table.kind === 'parquet') return { config: { files: [table.file] }, stream: 'all_types' };
  const { url } = table;
  if (table.kind === 'postgresql') return { config: { url, tables: [table.table ?? ''] }, stream: table.table ?? '' };
  const { database, collection } = table;
  return { config: { url, database, collections: [collection] }, stream: collection };
}

/** The connector sends its lines over a socket, in parts that end within lines and within characters. */
const byConverter: Read = async (table, compression) => {
  const { config, stream: name } = configOf(table);
  const catalog = configured(await discoverStream(table.kind, config, name));
  const text = Buffer.from(await connectorText(table.kind, 'read', { config, catalog }));
  const conversion = await startConversion(catalog, { ...settings, compression, inputPort: 0, inputToken: 'input' });
  try {
    const socket = connect({ port: conversion.ready.inputPort, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    socket.write('input\n');
    for (let at = 0; at < text.length; at += 4999) socket.write(text.subarray(at, at + 4999));
    socket.end();
    const batches = await readStream(conversion.ready.flightPort, name);
    await conversion.served;
    return batches;
  } finally {
    await conversion.close();
  }
};

const byExporter: Read = async (table, compression) => {
  const exported = await startExport({ ...settings, compression, table, connections: 1 });
  try {
    const batches = await readStream(exported.ready.flightPort, exportedStream);
    await exported.served;
    return batches;
  } finally {
    await exported.close();
  }
};

it.for(kinds)('a limit of the exporter ends the read of %s', async (kind, { skip }) => {
  const reason = stores.missing(kind);
  if (reason) skip(reason);
  const schema = new Schema([new Field('id', new Int32(), true)]);
  const ids = Array.from({ length: 50 }, (_, id) => ({ id }));
  const table = stores.table(kind, 'limited');
  await loadTable(table, { schema, batches: () => [batchOfRows(schema, ids)] });
  const exported = await startExport({ ...settings, compression: 'none', table, connections: 1, limitRows: 9 });
  try {
    const batches = await readStream(exported.ready.flightPort, exportedStream);
    await exported.served;
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(9);
    expect(exported.figures().storeBytes).toBeGreaterThan(0);
  } finally {
    await exported.close();
  }
});

/** JSON has no NaN and no infinity. */
const finite = (value: unknown): unknown => (typeof value === 'number' && !Number.isFinite(value) ? 0 : value);
const any = (value: unknown): unknown => value;

const variants = [
  { variant: 'the converter (D)', read: byConverter, values: finite },
  { variant: 'the exporter (E)', read: byExporter, values: any },
];

describe.each(kinds)('a table of all types in %s', (kind) => {
  it.for(variants)(
    'is the same over Flight from $variant, in each compression',
    { timeout: 60_000 },
    async ({ read, values }, { skip }) => {
      const reason = stores.missing(kind);
      if (reason) skip(reason);
      const cases = columnCases.filter((column) => column.kinds.includes(kind));
      const fields = cases.map(({ name, type }) => new Field(name, type as DataType, true));
      const schema = new Schema([new Field('id', new Int32(), true), ...fields]);
      const row = fc.record(
        Object.fromEntries(cases.map((one) => [one.name, fc.option(one.values.map(values), { freq: 8 })])),
      );
      const table = stores.table(kind, 'all_types');
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
          const written = rows.map((one, id) => ({ ...one, id }) as Record<string, unknown>);
          const batch = batchOfRows(schema, written);
          await loadTable(table, { schema, batches: () => [batch] });
          const expected = new Map(
            written.map((one) => [
              one.id as number,
              Object.fromEntries(schema.fields.map(({ name, type }) => [name, expectedValue(type, one[name])])),
            ]),
          );
          const whole = new TableChecksum();
          whole.addBatch(batch);
          for (const compression of compressions) {
            const batches = await read(table, compression);
            const served = new Table(batches);
            expect(schemaShape(served.schema), compression).toEqual(schemaShape(schema));
            expect(plainRows(served), compression).toEqual(expected);
            const checksum = new TableChecksum();
            for (const one of batches) checksum.addBatch(one);
            expect(checksum.digest(), compression).toEqual(whole.digest());
          }
        }),
        { numRuns: 4, endOnFailure: true },
      );
    },
  );
});
