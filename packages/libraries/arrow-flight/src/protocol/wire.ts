/**
 * The subset of the protobuf wire format that Flight needs: varints and length-delimited fields. Control messages are
 * few and small; data messages are read and written in place (flight-data.ts). Source:
 * https://protobuf.dev/programming-guides/encoding/
 */
import { FlightError } from '../errors.ts';

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** One undecoded field of a message. */
export type WireField =
  | { number: number; int: bigint; bytes?: undefined }
  | { number: number; int?: undefined; bytes: Uint8Array };

function broken(finding: string): FlightError {
  return new FlightError('invalid-argument', `malformed message: ${finding}`, {
    hint: 'check the sender: the message is truncated, damaged, or of another kind',
  });
}

/**
 * The fields of a message in wire order. The caller skips unknown ones.
 * @throws FlightError for malformed bytes
 */
export function* readFields(message: Uint8Array): Generator<WireField, void, void> {
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw broken('it ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw broken('a number has more than ten bytes');
  };
  const take = (size: number): Uint8Array => {
    if (size < 0 || at + size > message.length)
      throw broken(`a field of ${size} bytes begins ${message.length - at} bytes before its end`);
    at += size;
    return message.subarray(at - size, at);
  };
  while (at < message.length) {
    const tag = Number(BigInt.asUintN(64, readVarint()));
    const number = Math.floor(tag / 8);
    if (number < 1 || number > 536_870_911) throw broken(`it has the field number ${number}`);
    const kind = tag % 8;
    if (kind === varint) yield { number, int: readVarint() };
    else if (kind === lengthDelimited) yield { number, bytes: take(Number(readVarint())) };
    else if (kind === fixed64) yield { number, bytes: take(8) };
    else if (kind === fixed32) yield { number, bytes: take(4) };
    else throw broken(`it has a field of the kind ${kind}`);
  }
}

/** The bytes of a length-delimited field. */
export function bytesOf(field: WireField): Uint8Array {
  if (field.bytes === undefined) throw broken(`field ${field.number} is a number, expected bytes`);
  return field.bytes;
}

export function textOf(field: WireField): string {
  try {
    return text.decode(bytesOf(field));
  } catch (error) {
    if (error instanceof FlightError) throw error;
    throw broken(`field ${field.number} is not UTF-8`);
  }
}

export function intOf(field: WireField): bigint {
  if (field.int === undefined) throw broken(`field ${field.number} has bytes, expected a number`);
  return field.int;
}

/** Collects the fields of a message. Omits fields with default values, as proto3 does. */
export class MessageWriter {
  private readonly pieces: Uint8Array[] = [];

  bytes(number: number, value: Uint8Array | undefined): this {
    return value && value.length > 0 ? this.message(number, value) : this;
  }

  /** An embedded message, written even if empty. */
  message(number: number, value: Uint8Array): this {
    this.pieces.push(encodeVarint(BigInt(number * 8 + lengthDelimited)), encodeVarint(BigInt(value.length)), value);
    return this;
  }

  text(number: number, value: string | undefined): this {
    return this.bytes(number, value === undefined ? undefined : Buffer.from(value, 'utf8'));
  }

  /** Negative values are written as 64-bit two's complement. */
  int(number: number, value: bigint | number): this {
    if (BigInt(value) !== 0n)
      this.pieces.push(encodeVarint(BigInt(number * 8 + varint)), encodeVarint(BigInt.asUintN(64, BigInt(value))));
    return this;
  }

  finish(): Uint8Array {
    return Buffer.concat(this.pieces);
  }
}

function encodeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
