/** Rows of Airbyte's protobuf records, with values in the form of drivers. */
import { TopoBenchError } from '@topo-bench/core';
import { nullRow, type Row } from '@topo-bench/sources';
import { type DataType, type Field, type Schema, Type } from 'apache-arrow';
import type { StreamDescriptor } from '../protocol/messages.ts';
import { jsonParser, restoreValue } from './json-restore.ts';
import { envelopeFields, recordFields, valueFields } from './protobuf-fields.ts';
import { type ProtobufReader, tags } from './protobuf-reader.ts';
import { protobufEncoderOf } from './protobuf-value.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';

/** A record without the values of other streams. */
export interface ProtobufRecord {
  name: string;
  namespace: string | undefined;
  row: Row;
}

const record = {
  namespace: tags.length(recordFields.namespace),
  name: tags.length(recordFields.name),
  data: tags.length(recordFields.data),
} as const;

const value = {
  boolean: tags.varint(valueFields.boolean),
  string: tags.length(valueFields.string),
  integer: tags.varint(valueFields.integer),
  bigInteger: tags.length(valueFields.bigInteger),
  number: tags.fixed64(valueFields.number),
  bigDecimal: tags.length(valueFields.bigDecimal),
  date: tags.varint(valueFields.date),
  time: tags.varint(valueFields.time),
  timestampWithZone: tags.length(valueFields.timestampWithZone),
  timestamp: tags.length(valueFields.timestamp),
  json: tags.length(valueFields.json),
} as const;

/**
 * Values have no names: they are in the alphabetical order of the properties of the catalog.
 * @returns writes a record in its envelope, after its length
 * @throws TopoBenchError `TB_SOURCE_VALUE` for a property without a column
 */
export function recordEncoder(
  { name: streamName, namespace }: StreamDescriptor,
  fields: readonly Field[],
  properties: readonly string[],
): (writer: ProtobufWriter, row: Row) => void {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  const columns = [...properties].sort().map((name) => {
    const type = types.get(name);
    if (!type) throw new TopoBenchError('TB_SOURCE_VALUE', `the stream ${streamName} has no column ${name}`);
    return { name, encode: protobufEncoderOf(type, name) };
  });
  return (writer, row) =>
    writer.delimited(() =>
      writer.message(envelopeFields.record, () => {
        if (namespace !== undefined) writer.text(recordFields.namespace, namespace);
        writer.text(recordFields.name, streamName);
        writer.uint(recordFields.emittedAtMs, Date.now());
        for (const { name, encode } of columns) {
          const start = writer.open(recordFields.data);
          encode(writer, row[name]);
          writer.close(start);
        }
      }),
    );
}

/**
 * Values have no names: they are in the alphabetical order of the columns.
 * @returns reads the fields of a record up to `end`; throws RangeError for bytes that are no such record
 */
export function recordDecoder(schema: Schema): (reader: ProtobufReader, end: number) => ProtobufRecord {
  const columns = schema.fields
    .map(({ name, type }) => ({ name, decode: valueDecoder(type) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const nulls = nullRow(columns.map(({ name }) => name));
  return (reader, end) => {
    const row: Record<string, unknown> = { ...nulls };
    let [name, namespace, count]: [string, string | undefined, number] = ['', undefined, 0];
    while (reader.at < end) {
      const tag = reader.varint();
      if (tag === record.data) {
        const column = columns[count++];
        const valueEnd = reader.end();
        if (column) row[column.name] = column.decode(reader, valueEnd);
        reader.at = valueEnd;
      } else if (tag === record.name) name = reader.text();
      else if (tag === record.namespace) namespace = reader.text();
      else reader.skip(tag);
    }
    if (count !== columns.length) throw new RangeError(`a record with ${count} values, expected ${columns.length}`);
    return { name, namespace, row };
  };
}

/** A value without a known field is null. */
function valueDecoder(type: DataType): (reader: ProtobufReader, end: number) => unknown {
  const parse = jsonParser([type]);
  const isBinary = type.typeId === Type.Binary;
  return (reader, end) => {
    let found: unknown = null;
    while (reader.at < end) {
      const tag = reader.varint();
      if (tag === value.integer || tag === value.date) found = reader.sint();
      else if (tag === value.bigDecimal || tag === value.bigInteger) found = reader.text();
      else if (tag === value.string) found = isBinary ? Buffer.from(reader.text(), 'base64') : reader.text();
      else if (tag === value.number) found = reader.double();
      else if (tag === value.boolean) found = reader.varint() !== 0;
      else if (tag === value.time) found = Math.floor(reader.varint() / 1000);
      else if (tag === value.timestampWithZone) found = microsOf(reader, 1_000_000);
      else if (tag === value.timestamp) found = microsOf(reader, 86_400_000_000);
      else if (tag === value.json) found = restoreValue(type, parse(reader.text()));
      else reader.skip(tag);
    }
    return found;
  };
}

/** Whole units since 1970 in field 1, and nanoseconds after them in field 2. @param unitMicros of field 1 */
function microsOf(reader: ProtobufReader, unitMicros: number): number | bigint {
  const end = reader.end();
  let [units, nanos] = [0, 0];
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag === tags.varint(1)) units = Number(reader.sint());
    else if (tag === tags.varint(2)) nanos = reader.varint();
    else reader.skip(tag);
  }
  const micros = units * unitMicros + Math.floor(nanos / 1000);
  if (Number.isSafeInteger(micros)) return micros;
  return BigInt(units) * BigInt(unitMicros) + BigInt(Math.floor(nanos / 1000));
}
