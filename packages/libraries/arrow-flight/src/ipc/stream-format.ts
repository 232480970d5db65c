/**
 * The streaming format: length-prefixed messages and an end marker (Arrow columnar format, "Encapsulated message
 * format").
 */
import type { IpcMessage } from './batch-encoder.ts';

export const continuation = 0xffffffff;
/** Size of continuation marker and length. */
export const prefixBytes = 8;

/** Media type of the streaming format (registered with IANA). */
export const arrowStreamType = 'application/vnd.apache.arrow.stream';

/** A message in wire format, as pieces that must not change. */
export function frameMessage({ metadata, body }: IpcMessage): Uint8Array[] {
  return [framedMetadata(metadata), ...body];
}

/**
 * Metadata with its prefix.
 * @param metadata a multiple of 8 bytes
 */
export function framedMetadata(metadata: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(prefixBytes + metadata.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, continuation, true);
  view.setUint32(4, metadata.length, true);
  bytes.set(metadata, prefixBytes);
  return bytes;
}

/** The end marker of a stream. */
export function endOfStream(): Uint8Array {
  return Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
}
