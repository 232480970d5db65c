/**
 * Flow-control windows for bulk data. The defaults of the protocol (64 KiB per stream and connection) make a sender
 * wait every few packets. These let further messages travel while one is being read.
 */

/** Bytes that the peer may send before they are consumed: per stream, and over all streams of a connection. */
export interface Windows {
  streamBytes: number;
  connectionBytes: number;
}

/** 8 MiB per stream, 64 MiB per connection. */
export const largeWindows: Windows = { streamBytes: 8 * 1024 ** 2, connectionBytes: 64 * 1024 ** 2 };

/** Default limit of the headers of one message. */
export const defaultMaxHeaderBytes = 65_536;
