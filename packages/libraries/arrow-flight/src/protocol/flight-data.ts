/**
 * FlightData, the message that contains columns. Read and written in place: no object per field, no copy of the body.
 * The body is the last field, so a message is one small buffer followed by the unmodified body.
 */
import { frameBytes, putFrame } from '../grpc/frame.ts';
import type { FindAligned } from '../grpc/message-assembler.ts';
import { decodeDescriptor, encodeDescriptor, type FlightDescriptor } from './descriptor.ts';
import { bytesOf, MessageWriter, readFields } from './wire.ts';

export interface FlightData {
  /** Set on the first message of an upload. */
  descriptor?: FlightDescriptor;
  /** Metadata of an IPC message; empty when the message only carries `appMetadata`. */
  header: Uint8Array;
  appMetadata: Uint8Array;
  /** Aligned to eight bytes. */
  body: Uint8Array;
}

const fields = { descriptor: 1, header: 2, appMetadata: 3, body: 1000 };
const bodyTag = [0xc2, 0x3e] as const;
const nothing = new Uint8Array(0);

/** @throws FlightError for malformed bytes */
export function decodeFlightData(message: Uint8Array): FlightData {
  return decodeBatch(message) ?? decodeFields(message);
}

/**
 * Fast path for the common case: one header and one body.
 * @returns undefined in all other cases
 */
function decodeBatch(message: Uint8Array): FlightData | undefined {
  if (message[0] !== fields.header * 8 + 2) return undefined;
  const headerSize = readVarint(message, 1);
  const headerAt = 1 + varintBytes(headerSize);
  const bodyTagAt = headerAt + headerSize;
  if (message[bodyTagAt] !== bodyTag[0] || message[bodyTagAt + 1] !== bodyTag[1]) return undefined;
  const bodySize = readVarint(message, bodyTagAt + 2);
  const bodyAt = bodyTagAt + 2 + varintBytes(bodySize);
  // Also true for an overlong or truncated number: the lengths then do not add up.
  if (bodyAt + bodySize !== message.length || (message.byteOffset + bodyAt) % 8 !== 0) return undefined;
  return { header: message.subarray(headerAt, bodyTagAt), appMetadata: nothing, body: message.subarray(bodyAt) };
}

/** A number of up to 28 bits; NaN if it is longer or truncated. */
function readVarint(bytes: Uint8Array, from: number): number {
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const byte = bytes[from + i];
    if (byte === undefined) return Number.NaN;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return value;
  }
  return Number.NaN;
}

function decodeFields(message: Uint8Array): FlightData {
  const data: FlightData = { header: nothing, appMetadata: nothing, body: nothing };
  for (const field of readFields(message)) {
    if (field.number === fields.header) data.header = bytesOf(field);
    else if (field.number === fields.body) data.body = bytesOf(field);
    else if (field.number === fields.appMetadata) data.appMetadata = bytesOf(field);
    else if (field.number === fields.descriptor) data.descriptor = decodeDescriptor(bytesOf(field));
  }
  // Only if the peer writes the body before a long header.
  if (data.body.byteOffset % 8 !== 0) data.body = Uint8Array.prototype.slice.call(data.body);
  return data;
}

/** Position of the body in a FlightData message, from its first bytes. */
export const findBody: FindAligned = (head) => {
  let at = 0;
  while (at < head.length) {
    const isBody = head[at] === bodyTag[0] && head[at + 1] === bodyTag[1];
    // All other fields have numbers below 16, so one-byte tags. Anything else is left to the decoder.
    if (!isBody && ((head[at] as number) & 0x87) !== 2)
      return at + 1 < head.length || head[at] !== bodyTag[0] ? 'none' : 'unknown yet';
    at += isBody ? 2 : 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = head[at++];
      if (byte === undefined) return 'unknown yet';
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
      if (shift > 28) return 'none';
    }
    if (isBody) return at;
    at += length;
  }
  return 'unknown yet';
};

export interface OutgoingFlightData {
  descriptor?: FlightDescriptor;
  header?: Uint8Array;
  appMetadata?: Uint8Array;
  body?: readonly Uint8Array[];
  bodyBytes?: number;
}

/** The framed message as pieces to send in order: everything before the body, then the unmodified body. */
export function frameFlightData({
  descriptor,
  header,
  appMetadata,
  body = [],
  bodyBytes = 0,
}: OutgoingFlightData): Uint8Array[] {
  const hasBody = header !== undefined && body.length > 0;
  const before = hasBody && !descriptor && !appMetadata ? undefined : new MessageWriter();
  if (!before) return [headOfBatch(header as Uint8Array, bodyBytes), ...body];
  if (descriptor) before.message(fields.descriptor, encodeDescriptor(descriptor));
  const message = before.bytes(fields.header, header).bytes(fields.appMetadata, appMetadata).finish();
  const bodyHead = hasBody ? bodyHeadOf(bodyBytes) : nothing;
  const head = new Uint8Array(frameBytes + message.length + bodyHead.length);
  putFrame(head, message.length + bodyHead.length + bodyBytes);
  head.set(message, frameBytes);
  head.set(bodyHead, frameBytes + message.length);
  return [head, ...body];
}

/** Fast path for the common case: only a header and a body. */
function headOfBatch(header: Uint8Array, bodyBytes: number): Uint8Array {
  const headerSize = varintBytes(header.length);
  const bodySize = varintBytes(bodyBytes);
  const head = Buffer.allocUnsafe(frameBytes + 1 + headerSize + header.length + 2 + bodySize);
  putFrame(head, head.length - frameBytes + bodyBytes);
  let at = frameBytes;
  head[at++] = fields.header * 8 + 2;
  at = putVarint(head, at, header.length);
  head.set(header, at);
  at += header.length;
  head[at++] = bodyTag[0];
  head[at++] = bodyTag[1];
  putVarint(head, at, bodyBytes);
  return head;
}

function bodyHeadOf(bodyBytes: number): Uint8Array {
  const head = new Uint8Array(2 + varintBytes(bodyBytes));
  head.set(bodyTag);
  putVarint(head, 2, bodyBytes);
  return head;
}

function varintBytes(value: number): number {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) size++;
  return size;
}

function putVarint(target: Uint8Array, from: number, value: number): number {
  let at = from;
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) target[at++] = (rest % 128) | 0x80;
  target[at++] = rest;
  return at;
}
