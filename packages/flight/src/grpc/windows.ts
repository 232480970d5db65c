/**
 * Flow control of HTTP/2 for bulk data. The protocol's defaults (64 KiB per stream and connection) make a sender wait for every few
 * packets; these let a message be under way while the one before it is being read.
 */
import type { Http2Session, Settings } from 'node:http2';

/** What a peer may send before it was read: per stream and, since streams share it, per connection. */
export interface Windows {
  streamBytes: number;
  connectionBytes: number;
}

/** What lets bulk flow: several messages of each stream are under way while one is read. */
export const largeWindows: Windows = { streamBytes: 8 * 1024 ** 2, connectionBytes: 64 * 1024 ** 2 };

/**
 * Node.js stops reading a connection while one of its writes waits for the system. Were both sides to fill the system's buffers, each would wait for
 * the other to read, for ever. So one direction of a connection at most has large windows; what is under way in the other fits into those
 * buffers (2.5 MB and more on the systems we know), its writes end, and it reads.
 */
export const smallWindows: Windows = { streamBytes: 1024 ** 2, connectionBytes: 1024 ** 2 };

/** Whether the other side lets so much be under way to it that nothing large may be under way from it. */
export function hasLargeWindows({ state, remoteSettings }: Http2Session): boolean {
  const { remoteWindowSize = 0 } = state;
  const { initialWindowSize = 0 } = remoteSettings;
  return remoteWindowSize > smallWindows.connectionBytes || initialWindowSize > smallWindows.streamBytes;
}

/** Frames of more than the default 16 KiB save work per frame where the peer makes use of them. */
const mostFrameBytes = 1024 ** 2;

/** Units of 10⁶ bytes in which Node.js bounds a connection; it counts data that waits to be sent, which the sender bounds itself. */
export const sessionMemoryUnits = 100_000;

export function settingsFor({ streamBytes }: Windows, mostHeaderBytes: number): Settings {
  return { initialWindowSize: streamBytes, maxFrameSize: mostFrameBytes, maxHeaderListSize: mostHeaderBytes, enablePush: false };
}
