/**
 * Flow control of HTTP/2 for bulk data. The protocol's defaults (64 KiB per stream and connection) make a sender wait for every few
 * packets; these let a message be under way while the one before it is being read.
 */
import type { Settings } from 'node:http2';

/** What a peer may send before it was read: per stream and, since streams share it, per connection. */
export interface Windows {
  streamBytes: number;
  connectionBytes: number;
}

/** Of a client: it may receive many streams at once. */
export const clientWindows: Windows = { streamBytes: 8 * 1024 ** 2, connectionBytes: 64 * 1024 ** 2 };

/**
 * Of a server: less, for a reason beside memory. Node.js stops reading a connection while one of its writes waits for the system. Were both
 * sides to fill the system's buffers, each would wait for the other to read, for ever. What a client has under way must therefore fit
 * into those buffers (2.5 MB and more on the systems we know): then its writes end, and it reads.
 */
export const serverWindows: Windows = { streamBytes: 1024 ** 2, connectionBytes: 1024 ** 2 };

/** Frames of more than the default 16 KiB save work per frame where the peer makes use of them. */
const mostFrameBytes = 1024 ** 2;

/** Units of 10⁶ bytes in which Node.js bounds a connection; it counts data that waits to be sent, which the sender bounds itself. */
export const sessionMemoryUnits = 100_000;

export function settingsFor({ streamBytes }: Windows, mostHeaderBytes: number): Settings {
  return { initialWindowSize: streamBytes, maxFrameSize: mostFrameBytes, maxHeaderListSize: mostHeaderBytes, enablePush: false };
}
