/**
 * Protobuf messages of a connector as rows: records over a socket, all else as lines of standard output. As with JSON
 * lines, rows are complete only when the connector has said so and the counts of its states add up.
 */
import { FlightError } from '@topo-bench/arrow-flight';
import type { Row } from '@topo-bench/sources';
import type { Schema } from 'apache-arrow';
import type { StreamDescriptor } from '../protocol/messages.ts';
import { envelopeFields } from '../schema/protobuf-fields.ts';
import { ProtobufReader, tags } from '../schema/protobuf-reader.ts';
import { recordDecoder } from '../schema/protobuf-row.ts';
import { progressOfLines } from './record-lines.ts';

export interface ConnectorChannels {
  /** Bytes of the socket, split anywhere. */
  records: AsyncIterable<Uint8Array>;
  /** Standard output as text. It is read while records arrive: a full pipe would stop the connector. */
  lines: AsyncIterable<string>;
}

const recordTag = tags.length(envelopeFields.record);

/** @throws FlightError `unavailable` with the message of the connector, `data-loss` for an incomplete stream */
export async function* rowsOfMessages(
  { records, lines }: ConnectorChannels,
  stream: StreamDescriptor,
  schema: Schema,
  batchRows: number,
): AsyncGenerator<readonly Row[], void, void> {
  const decode = recordDecoder(schema);
  const reported = progressOfLines(lines, stream);
  // Awaited after the records.
  reported.catch(() => undefined);
  let rest: Buffer = Buffer.alloc(0);
  let rows: Row[] = [];
  let count = 0;
  for await (const chunk of records) {
    const bytes = rest.length === 0 ? bufferOf(chunk) : Buffer.concat([rest, chunk]);
    const reader = new ProtobufReader(bytes);
    for (let end = messageEnd(reader, bytes); end !== undefined; end = messageEnd(reader, bytes)) {
      while (reader.at < end) {
        const tag = reader.varint();
        // States are also lines.
        if (tag !== recordTag) {
          reader.skip(tag);
          continue;
        }
        const { name, namespace, row } = decode(reader, reader.end());
        if (name !== stream.name || namespace !== (stream.namespace ?? undefined)) continue;
        rows.push(row);
        count++;
      }
      if (rows.length < batchRows) continue;
      yield rows;
      rows = [];
    }
    rest = bytes.subarray(reader.at);
  }
  (await reported).requireWhole(count);
  if (rest.length > 0) throw new FlightError('data-loss', `the last message of ${stream.name} is incomplete`);
  if (rows.length > 0) yield rows;
}

/** Moves to the next message. @returns its end; undefined when some of it has not arrived */
function messageEnd(reader: ProtobufReader, bytes: Buffer): number | undefined {
  const start = reader.at;
  if (start === bytes.length || reader.varintBytes() === 0) return undefined;
  const end = reader.varint() + reader.at;
  if (end <= bytes.length) return end;
  reader.at = start;
  return undefined;
}

function bufferOf(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}
