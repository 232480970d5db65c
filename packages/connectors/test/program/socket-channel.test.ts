/** Records over sockets, parsed by protobufjs with the numbers of Airbyte's published definitions. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadTable, openSource, storeSalesData } from '@topo-bench/sources';
import * as arrow from 'apache-arrow';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { ProtobufReader } from '../../src/schema/protobuf-reader.ts';
import { recordDecoder } from '../../src/schema/protobuf-row.ts';
import { protobufEncoderOf } from '../../src/schema/protobuf-value.ts';
import { ProtobufWriter } from '../../src/schema/protobuf-writer.ts';
import { envelopeType, valueType } from '../fixtures/airbyte-protobuf.ts';
import { configured, discoverStream } from '../fixtures/run-connector.ts';

const shown = { longs: String, bytes: String } as const;

interface Envelope {
  record?: { name: string; data: Record<string, unknown>[] };
  json?: string;
}

function messagesOf(bytes: Buffer): Envelope[] {
  const reader = protobuf.Reader.create(bytes);
  const messages: Envelope[] = [];
  while (reader.pos < reader.len)
    messages.push(envelopeType.toObject(envelopeType.decodeDelimited(reader), shown) as Envelope);
  return messages;
}

async function bytesAt(path: string): Promise<Buffer> {
  while (!existsSync(path)) await sleep(10);
  return buffer(connect(path));
}

describe('a connector whose data channel is sockets', () => {
  it('sends every record once, with its values in the order of names, and states on both channels', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'sales.parquet');
    await loadTable({ kind: 'parquet', file }, storeSalesData({ rows: 5000, seed: 1 }));
    const config = { files: [file] };
    const catalog = configured(await discoverStream('parquet', config, 'sales'));
    for (const [name, document] of Object.entries({ config, catalog }))
      await writeFile(join(folder, name), JSON.stringify(document));
    const paths = ['a.sock', 'b.sock'].map((name) => join(folder, name));
    const entry = join(import.meta.dirname, '../../../cli/dist/connector.js');
    const flags = ['--config', join(folder, 'config'), '--catalog', join(folder, 'catalog')];
    const child = spawn(process.execPath, [entry, 'parquet', 'read', ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { DATA_CHANNEL_MEDIUM: 'SOCKET', DATA_CHANNEL_FORMAT: 'PROTOBUF', DATA_CHANNEL_SOCKET_PATHS: paths.join() },
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [output, ...parts] = await Promise.all([text(child.stdout), ...paths.map(bytesAt)]);
    expect(await exited, output).toBe(0);
    expect(parts.every(({ length }) => length > 0)).toBe(true);
    const messages = parts.flatMap(messagesOf);
    const records = messages.flatMap(({ record }) => (record ? [record] : []));
    expect(new Set(records.map(({ name }) => name))).toEqual(new Set(['sales']));

    const source = await openSource({ kind: 'parquet', file });
    const fields = [...source.schema.fields].sort((one, other) => (one.name < other.name ? -1 : 1));
    const expected: string[] = [];
    for await (const batch of source.columns({ batchRows: 5000, connections: 1 })) {
      const columns = fields.map(({ name, type }) => ({ type, values: batch.getChild(name) as arrow.Vector }));
      for (let row = 0; row < batch.numRows; row++)
        expected.push(JSON.stringify(columns.map(({ type, values }) => textOf(type, values.get(row)))));
    }
    await source.close();
    const got = records.map(({ data }) =>
      JSON.stringify(data.map(({ integer, bigDecimal }) => integer ?? bigDecimal ?? null)),
    );
    expect(got.sort()).toEqual(expected.sort());
    const states = messages.flatMap(({ json }) => (json === undefined ? [] : [JSON.parse(json) as { type: string }]));
    expect(states).toMatchObject([{ type: 'STATE', state: { sourceStats: { recordCount: 5000 } } }]);
    expect(output).toContain('"recordCount":5000');
    expect(output).not.toContain('"RECORD"');
    expect(paths.filter(existsSync)).toEqual([]);
  });
});

/** Integers and unscaled decimals of Arrow, as digits. */
function textOf(type: arrow.DataType, value: unknown): string | null {
  if (value === null) return null;
  if (!arrow.DataType.isDecimal(type)) return String(value);
  const unscaled = BigInt(String(value));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(type.scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -type.scale)}.${digits.slice(-type.scale)}`;
}

describe('a socket channel', () => {
  const started = (path: string, folder: string) => {
    const entry = join(import.meta.dirname, '../../../cli/dist/connector.js');
    const files = ['--config', join(folder, 'config'), '--catalog', join(folder, 'catalog')];
    const child = spawn(process.execPath, [entry, 'parquet', 'read', ...files], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { DATA_CHANNEL_MEDIUM: 'SOCKET', DATA_CHANNEL_SOCKET_PATHS: path },
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, exited };
  };

  it('leaves no socket when a signal ends the process', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.sock');
    const { child, exited } = started(path, folder);
    while (!existsSync(path)) await sleep(10);
    child.kill('SIGTERM');
    expect(await exited).not.toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it('removes no file that is not a socket', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'notes.txt');
    await writeFile(path, 'mine');
    const { child, exited } = started(path, folder);
    const output = text(child.stdout);
    expect(await exited).toBe(1);
    expect(await output).toContain('EADDRINUSE');
    expect(await readFile(path, 'utf8')).toBe('mine');
  });
});

describe('a value as protobuf', () => {
  it('takes no more memory because an earlier one was long', () => {
    const writer = new ProtobufWriter();
    writer.text(1, 'x'.repeat(2 ** 21));
    writer.take();
    writer.text(1, 'x');
    writer.take();
    writer.text(1, 'x');
    expect(writer.take().buffer.byteLength).toBeLessThan(2 ** 20);
  });

  const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
  it.each<[arrow.DataType, unknown, object]>([
    [new arrow.Int32(), null, { isNull: true }],
    [new arrow.Bool(), false, { boolean: false }],
    [new arrow.Bool(), true, { boolean: true }],
    [new arrow.Int32(), -7, { integer: '-7' }],
    [new arrow.Int64(), -(2n ** 63n), { integer: '-9223372036854775808' }],
    [new arrow.Int64(), '9223372036854775807', { integer: '9223372036854775807' }],
    [new arrow.Uint64(), 2n ** 64n - 1n, { bigInteger: '18446744073709551615' }],
    [new arrow.Float64(), -0.1, { number: -0.1 }],
    [new arrow.Decimal(2, 7), '-12.50', { bigDecimal: '-12.50' }],
    [new arrow.Decimal(2, 30), 12345678901234567890n, { bigDecimal: '123456789012345678.90' }],
    [new arrow.Binary(), Uint8Array.of(0, 255), { string: 'AP8=' }],
    [new arrow.DateDay(), '1969-12-31', { date: '-1' }],
    [new arrow.DateDay(), 19_723, { date: '19723' }],
    // 2^63 microseconds after 1970.
    [new arrow.DateDay(), '294247-01-10', { date: '106751991' }],
    // The first Julian day of PostgreSQL.
    [new arrow.DateDay(), '4714-11-24 BC', { date: '-2440588' }],
    [new arrow.TimeMicrosecond(), '23:59:59.000001', { time: '86399000001000' }],
    [new arrow.TimestampMicrosecond('UTC'), -1n, { zoned: { second: '-1', nano: 999_999_000 } }],
    [new arrow.TimestampMicrosecond(), '1970-01-02 00:00:01.5', { local: { day: '1', nano: '1500000000' } }],
    [new arrow.List(new arrow.Field('item', new arrow.Int32(), true)), [1, null], { json: json([1, null]) }],
    [new arrow.Struct([new arrow.Field('a', new arrow.Utf8(), true)]), { a: 'é"' }, { json: json({ a: 'é"' }) }],
    [new arrow.Utf8(), 'é"\\ \n', { string: 'é"\\ \n' }],
    [new arrow.Utf8(), 'x'.repeat(300_000), { string: 'x'.repeat(300_000) }],
  ])('%s %#', (type, value, expected) => {
    const writer = new ProtobufWriter();
    writer.delimited(() => protobufEncoderOf(type, 'c')(writer, value));
    const reader = protobuf.Reader.create(writer.take());
    expect(valueType.toObject(valueType.decodeDelimited(reader), shown)).toEqual(expected);
    expect(reader.pos).toBe(reader.len);
  });

  // Around the lengths of varints, and where numbers are no longer exact.
  const wholes = [6, 7, 27, 28, 34, 35, 52, 53, 54].flatMap((bits) =>
    [-1n, 0n, 1n].map((more) => 2n ** BigInt(bits) + more),
  );
  // Around the lengths that are written and read without a call into Node.js.
  const texts = [0, 1, 12, 13, 40, 41, 127, 128].flatMap((length) => ['a', 'é', '€'].map((one) => one.repeat(length)));
  it.each<[string, arrow.DataType, 'integer' | 'string', readonly unknown[]]>([
    [
      'whole numbers',
      new arrow.Int64(),
      'integer',
      wholes.flatMap((whole) => [whole, -whole, `${whole}`, `${-whole}`]),
    ],
    ['numbers of drivers', new arrow.Int64(), 'integer', [0, -0, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 1 - 2 ** 53]],
    ['texts', new arrow.Utf8(), 'string', [...texts, `${'a'.repeat(11)}é`, `${'a'.repeat(39)}é`]],
  ])('is the same for protobufjs and for our reader: %s', (_, type, field, values) => {
    const decode = recordDecoder(new arrow.Schema([new arrow.Field('c', type, true)]));
    for (const value of values) {
      const writer = new ProtobufWriter();
      writer.message(5, () => protobufEncoderOf(type, 'c')(writer, value));
      const bytes = writer.take();
      const { c } = decode(new ProtobufReader(bytes), bytes.length).row;
      const start = protobuf.Reader.create(bytes);
      start.uint32();
      const [other] = Object.entries(valueType.toObject(valueType.decodeDelimited(start), shown));
      expect([other, String(c)]).toEqual([[field, `${value}`], `${value}`]);
    }
  });
});
