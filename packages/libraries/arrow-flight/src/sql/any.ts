/**
 * The `google.protobuf.Any` envelope of Flight SQL's messages, which names their type. Other commands and tickets
 * belong to flights outside SQL. Source: format/FlightSql.proto of Apache Arrow.
 */
import { bytesOf, MessageWriter, readFields, textOf } from '../protocol/wire.ts';

const prefix = 'type.googleapis.com/arrow.flight.protocol.sql.';

export interface SqlMessage {
  /** Name of the message, e.g. `CommandStatementQuery`. */
  type: string;
  value: Uint8Array;
}

export function encodeSqlMessage({ type, value }: SqlMessage): Uint8Array {
  return new MessageWriter()
    .text(1, prefix + type)
    .bytes(2, value)
    .finish();
}

/** @returns undefined for other bytes; never throws */
export function decodeSqlMessage(bytes: Uint8Array): SqlMessage | undefined {
  let url = '';
  let value: Uint8Array = new Uint8Array(0);
  try {
    for (const field of readFields(bytes)) {
      if (field.number === 1) url = textOf(field);
      else if (field.number === 2) value = bytesOf(field);
    }
  } catch {
    return undefined;
  }
  return url.startsWith(prefix) ? { type: url.slice(prefix.length), value } : undefined;
}
