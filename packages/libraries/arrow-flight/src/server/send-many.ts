/** Sends the items of a source with back-pressure, and ends the source when the caller disconnects. */
import { RecordBatch as Batch, type RecordBatch } from 'apache-arrow';
import type { ServerCall } from '../grpc/server-call.ts';
import { ChunkSender } from '../protocol/chunk-sender.ts';
import type { FlightChunk, FlightStream } from './flight-service.ts';

type Many<T> = AsyncIterable<T> | Iterable<T>;

export async function sendMany<T>(call: ServerCall, source: Many<T>, encode: (item: T) => Uint8Array): Promise<void> {
  await forEachUntilAborted(source, call.signal, (item) => call.outgoing.send(encode(item)));
}

export async function sendStream(call: ServerCall, { schema, batches, codec }: FlightStream): Promise<void> {
  const sender = new ChunkSender(call.outgoing, codec);
  await sender.sendSchema(schema);
  await forEachUntilAborted<RecordBatch | FlightChunk>(batches, call.signal, (item) => {
    return item instanceof Batch
      ? sender.send(item, undefined)
      : sender.send(item.batch, item.appMetadata, item.onWritten);
  });
}

/**
 * Like `for await`, but stops waiting for the source once the signal aborts.
 * @throws the reason of the signal
 */
async function forEachUntilAborted<T>(
  source: Many<T>,
  signal: AbortSignal,
  use: (item: T) => Promise<void> | undefined,
): Promise<void> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let isOver = false;
  // Set anew for each item. A promise that lives as long as the call would keep all items that it has been raced with.
  let stopWaiting: (reason: unknown) => void = () => {};
  signal.addEventListener('abort', () => stopWaiting(signal.reason), { once: true });
  try {
    while (!signal.aborted) {
      const next = iterator.next();
      const result =
        next instanceof Promise
          ? await new Promise<IteratorResult<T>>((resolve, reject) => {
              stopWaiting = reject;
              next.then(resolve, reject);
            })
          : next;
      if (result.done) {
        isOver = true;
        return;
      }
      const wait = use(result.value);
      if (wait) await wait;
    }
    throw signal.reason;
  } finally {
    // Not awaited: a generator handles `return` only after its pending `next`, possibly never.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
