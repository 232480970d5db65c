/** A standalone schema, as in FlightInfo and GetSchema: one message of the streaming format. */
import type { Schema } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import { encodeSchema } from '../ipc/batch-encoder.ts';
import { decodeMessage } from '../ipc/decode-message.ts';
import { continuation, framedMetadata, prefixBytes } from '../ipc/stream-format.ts';
import { bytesOf, MessageWriter, readFields } from './wire.ts';

export function encodeSchemaMessage(schema: Schema): Uint8Array {
  return framedMetadata(encodeSchema(schema));
}

/**
 * @returns undefined for empty bytes: the schema is unknown
 * @throws FlightError, ArrowError for malformed bytes
 */
export function decodeSchemaMessage(bytes: Uint8Array): Schema | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length < prefixBytes) throw new FlightError('invalid-argument', `a schema has ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isMarked = view.getUint32(0, true) === continuation;
  const size = view.getUint32(isMarked ? 4 : 0, true);
  const from = isMarked ? prefixBytes : 4;
  if (from + size > bytes.length)
    throw new FlightError(
      'invalid-argument',
      `a schema is truncated: got ${bytes.length - from} bytes, expected ${size}`,
    );
  const message = decodeMessage(bytes.slice(from, from + size));
  if (message.kind !== 'schema') throw new FlightError('invalid-argument', `expected a schema, got a ${message.kind}`);
  return message.schema;
}

export function encodeSchemaResult(schema: Schema): Uint8Array {
  return new MessageWriter().bytes(1, encodeSchemaMessage(schema)).finish();
}

export function decodeSchemaResult(message: Uint8Array): Schema {
  for (const field of readFields(message)) {
    const schema = field.number === 1 ? decodeSchemaMessage(bytesOf(field)) : undefined;
    if (schema) return schema;
  }
  throw new FlightError('internal', 'the response has no schema');
}
