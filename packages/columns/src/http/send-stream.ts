/** Sends a stream as the body of an answer, no faster than the client takes it. */
import type { ServerResponse } from 'node:http';

/** Bytes that may lie between the source and the socket. */
const maxWaitingBytes = 1024 * 1024;

/**
 * @param open starts the stream; its signal is aborted as soon as the client has gone, so that the source stops even
 * while it waits
 * @returns when everything was handed to the system, or the client has gone
 * @throws what the source throws; the connection is then cut, so that the client never takes a part for the whole
 */
export async function sendStream(
  response: ServerResponse,
  open: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const client = new AbortController();
  response.once('close', () => client.abort());
  try {
    for await (const piece of open(client.signal)) {
      if (client.signal.aborted) return;
      if (!response.write(piece) && response.writableLength > maxWaitingBytes) await drainedOrClosed(response);
    }
    if (!client.signal.aborted) response.end();
  } catch (error) {
    response.destroy();
    if (!client.signal.aborted) throw error;
  }
}

function drainedOrClosed(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
