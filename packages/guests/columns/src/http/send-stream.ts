/** Sends a stream as the body of an answer, with back-pressure. */
import type { ServerResponse } from 'node:http';

/** Max number of bytes buffered between source and socket. */
const maxWaitingBytes = 1024 * 1024;

/**
 * @param open starts the stream; its signal is aborted when the client disconnects, even while the source waits
 * @returns when all data is passed to the system, or the client has disconnected
 * @throws any error of the source; the connection is then closed, so that the client cannot mistake a part for the
 * whole
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
