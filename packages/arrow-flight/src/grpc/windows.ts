/**
 * Flow control of HTTP/2 for bulk data. The protocol's defaults (64 KiB per stream and connection) make a sender wait for every few
 * packets; these let messages be under way while the one before them is being read.
 */

/** What a peer may send before it was taken: per stream, and of all streams of a connection together. */
export interface Windows {
  streamBytes: number;
  connectionBytes: number;
}

export const largeWindows: Windows = { streamBytes: 8 * 1024 ** 2, connectionBytes: 64 * 1024 ** 2 };

/** Of the headers of a call. */
export const mostHeaderBytes = 65_536;
