/** The frame of a gRPC message: a compression flag and the length as 4-byte big-endian integer. */
import { FlightError } from '../errors.ts';

export const frameBytes = 5;
/** Max length that the four bytes of a frame can state. */
const maxBytes = 0xffff_ffff;

/** Writes the frame of an uncompressed message into the first five bytes of `target`. */
export function putFrame(target: Uint8Array, messageBytes: number): void {
  if (messageBytes > maxBytes) {
    throw new FlightError(
      'resource-exhausted',
      `a message of ${messageBytes} bytes exceeds the limit of a gRPC frame`,
      {
        hint: 'send smaller batches',
      },
    );
  }
  target[0] = 0;
  target[1] = messageBytes >>> 24;
  target[2] = messageBytes >>> 16;
  target[3] = messageBytes >>> 8;
  target[4] = messageBytes;
}

/**
 * @returns length of the message whose frame starts at `offset`
 * @throws FlightError when it is compressed or too long
 */
export function readFrame(bytes: Uint8Array, offset: number, maxMessageBytes: number): number {
  const flag = bytes[offset] as number;
  if (flag === 1) {
    throw new FlightError('unimplemented', 'unsupported: a message compressed by gRPC', {
      hint: 'compress buffers of the Arrow data instead',
    });
  }
  if (flag !== 0) throw new FlightError('internal', `a gRPC frame begins with ${flag}, expected 0 or 1`);
  const length =
    (bytes[offset + 1] as number) * 2 ** 24 +
    (((bytes[offset + 2] as number) << 16) | ((bytes[offset + 3] as number) << 8) | (bytes[offset + 4] as number));
  if (length > maxMessageBytes) {
    throw new FlightError(
      'resource-exhausted',
      `a message of ${length} bytes is more than the ${maxMessageBytes} accepted here`,
      {
        hint: 'send smaller batches, or raise the limit of the receiver',
      },
    );
  }
  return length;
}

/** A copy of the message with its frame. */
export function frameOf(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(frameBytes + message.length);
  putFrame(framed, message.length);
  framed.set(message, frameBytes);
  return framed;
}
