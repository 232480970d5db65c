/**
 * The frame around each gRPC message: a flag that says whether it is compressed, and its length in four bytes, big
 * end first.
 */
import { FlightError } from '../errors.ts';

export const frameBytes = 5;
/** Lengths beyond the four bytes of a frame cannot be told. */
const maxBytes = 0xffff_ffff;

/** Writes the frame of an uncompressed message into the first five bytes. */
export function putFrame(target: Uint8Array, messageBytes: number): void {
  if (messageBytes > maxBytes) {
    throw new FlightError('resource-exhausted', `a message of ${messageBytes} bytes is more than gRPC can frame`, {
      hint: 'send smaller batches',
    });
  }
  target[0] = 0;
  target[1] = messageBytes >>> 24;
  target[2] = messageBytes >>> 16;
  target[3] = messageBytes >>> 8;
  target[4] = messageBytes;
}

/**
 * @returns length of the message behind the frame at `offset`;
 * @throws FlightError when it is compressed or too long
 */
export function readFrame(bytes: Uint8Array, offset: number, maxMessageBytes: number): number {
  const flag = bytes[offset] as number;
  if (flag === 1) {
    throw new FlightError('unimplemented', 'a message is compressed by gRPC, which is not supported', {
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

/** A whole message with its frame. */
export function frameOf(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(frameBytes + message.length);
  putFrame(framed, message.length);
  framed.set(message, frameBytes);
  return framed;
}
