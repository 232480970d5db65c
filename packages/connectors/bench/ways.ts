/** Ways to send rows of integers and decimals: as our protobuf records, as those of protobufjs, and as JSON lines. */
import type { Row } from '@topo-bench/sources';
import { type DataType, type Schema, Type } from 'apache-arrow';
import protobuf from 'protobufjs';
import { jsonParser } from '../src/schema/json-restore.ts';
import { rowEncoder } from '../src/schema/json-value.ts';
import { ProtobufReader } from '../src/schema/protobuf-reader.ts';
import { recordDecoder, recordEncoder } from '../src/schema/protobuf-row.ts';
import { ProtobufWriter } from '../src/schema/protobuf-writer.ts';
import { envelopeType } from '../test/fixtures/airbyte-protobuf.ts';

export interface Way {
  name: string;
  write(rows: readonly Row[]): Buffer;
  read(bytes: Buffer): Row[];
}

const stream = { name: 'store_sales' };

/** Ours first. @param schema of integers up to 2^53 and decimals, which drivers return as numbers and texts */
export function waysOf(schema: Schema): Way[] {
  return [ourRecords(schema), recordsOfProtobufjs(schema), jsonLines(schema)];
}

function ourRecords(schema: Schema): Way {
  const names = schema.fields.map(({ name }) => name);
  const encode = recordEncoder(stream, schema.fields, names);
  const decode = recordDecoder(schema);
  const writer = new ProtobufWriter();
  return {
    name: 'our records',
    write(rows) {
      for (const row of rows) encode(writer, row);
      return writer.take();
    },
    read(bytes) {
      const reader = new ProtobufReader(bytes);
      const rows: Row[] = [];
      while (reader.at < bytes.length) {
        reader.end();
        reader.varint();
        rows.push(decode(reader, reader.end()).row);
      }
      return rows;
    },
  };
}

interface Value {
  integer?: { toNumber(): number };
  bigDecimal?: string;
}

function recordsOfProtobufjs(schema: Schema): Way {
  const columns = schema.fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    name: 'records of protobufjs',
    write(rows) {
      const writer = protobuf.Writer.create();
      for (const row of rows) {
        const data = columns.map(({ name, type }) => messageOf(type, row[name]));
        envelopeType.encodeDelimited({ record: { name: stream.name, emitted: Date.now(), data } }, writer);
      }
      return Buffer.from(writer.finish());
    },
    read(bytes) {
      const reader = protobuf.Reader.create(bytes);
      const rows: Row[] = [];
      while (reader.pos < reader.len) {
        const { record } = envelopeType.decodeDelimited(reader) as unknown as { record: { data: Value[] } };
        const row: Record<string, unknown> = {};
        columns.forEach(({ name }, index) => {
          const { integer, bigDecimal } = record.data[index] as Value;
          // Fields that were not sent have their default in the prototype.
          row[name] = Object.hasOwn(record.data[index] as Value, 'integer') ? integer?.toNumber() : bigDecimal || null;
        });
        rows.push(row);
      }
      return rows;
    },
  };
}

function messageOf(type: DataType, value: unknown): object {
  if (value === null || value === undefined) return { isNull: true };
  return type.typeId === Type.Int ? { integer: value } : { bigDecimal: value };
}

function jsonLines(schema: Schema): Way {
  const encode = rowEncoder(schema.fields);
  const parse = jsonParser(schema.fields.map(({ type }) => type));
  const start = `{"type":"RECORD","record":{"stream":"${stream.name}","data":`;
  return {
    name: 'JSON lines',
    write(rows) {
      const end = `,"emitted_at":${Date.now()}}}\n`;
      let text = '';
      for (const row of rows) text += start + encode(row) + end;
      return Buffer.from(text);
    },
    read(bytes) {
      const lines = bytes.toString().split('\n');
      lines.pop();
      return lines.map((line) => (parse(line) as { record: { data: Row } }).record.data);
    },
  };
}
