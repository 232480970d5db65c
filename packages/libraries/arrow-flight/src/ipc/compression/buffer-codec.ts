/** The port of compression: buffers of a record batch, compressed one by one. */
import type { CompressionName } from '../decode-message.ts';

export interface Codec {
  readonly name: CompressionName;
  /** @returns a frame, possibly longer than the input */
  compress(bytes: Uint8Array): Uint8Array;
  /**
   * @param size exact size of the result in bytes
   * @throws ArrowError `ARROW_MALFORMED`
   */
  decompress(frame: Uint8Array, size: number): Uint8Array;
}
