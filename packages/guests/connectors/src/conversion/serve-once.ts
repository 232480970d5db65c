/** A Flight server with one stream that is read once, by a client with the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { FlightError } from '@topo-bench/arrow-flight';
import { loadCodec } from '@topo-bench/arrow-flight/ipc';
import { serveTables } from '@topo-bench/sources/flight';
import type { RecordBatch, Schema } from 'apache-arrow';
import { type FlightSettings, flightUser } from './converter-settings.ts';

export interface OneStream {
  /** Path and ticket. */
  name: string;
  schema: Schema;
  batches(signal: AbortSignal): AsyncIterable<RecordBatch>;
}

export interface OnceServed {
  flightPort: number;
  /** Resolves when the one read has been served to its end. Rejects when it failed or the reader left. */
  served: Promise<void>;
  /** Drains calls in flight. */
  close(): Promise<void>;
}

const drainMs = 10_000;

export async function serveOnce(
  { name, schema, batches }: OneStream,
  { host, flightPort, flightToken, compression }: FlightSettings,
): Promise<OnceServed> {
  let finish: (error?: unknown) => void = () => undefined;
  const served = new Promise<void>((resolve, reject) => {
    finish = (error) => (error === undefined ? resolve() : reject(error));
  });
  served.catch(() => undefined);

  async function* once(signal: AbortSignal): AsyncGenerator<RecordBatch, void, void> {
    let isWhole = false;
    try {
      yield* batches(signal);
      isWhole = true;
      finish();
    } catch (error) {
      finish(error);
      throw error;
    } finally {
      if (!isWhole) finish(new Error('the reader has left'));
    }
  }

  let isTaken = false;
  const codec = compression === 'none' ? {} : { codec: await loadCodec(compression) };
  const table = {
    schema,
    read(signal: AbortSignal) {
      if (isTaken) throw new FlightError('failed-precondition', `${name} has been read: its rows are sent once`);
      isTaken = true;
      return once(signal);
    },
    ...codec,
  };
  const { url, close } = await serveTables(new Map([[name, table]]), {
    host,
    port: flightPort,
    authentication: { check: (user, password) => user === flightUser && isSame(password, flightToken) },
  });
  return { flightPort: Number(url.replace(/.*:/, '')), served, close: () => close(drainMs) };
}

function isSame(password: string, token: string): boolean {
  const [one, other] = [password, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(one, other);
}
