/** Connections to Redis and Valkey: how they are opened, and which errors say that the server is gone. */
import { createClient } from '@redis/client';
import type { ConnectionDriver } from '../connection-pool.ts';

/** The commands that we use, of the many that the client types. */
export interface RedisConnection {
  readonly isReady: boolean;
  sendCommand(words: readonly string[]): Promise<unknown>;
  destroy(): void;
}

export interface RedisPlace {
  /** Without our own part. */
  url: string;
  /** What all keys of a service begin with. */
  prefix: string;
}

/** Redis has no named databases: the prefix of a service's keys is the fragment of its connection string. */
export function placeOf(url: string): RedisPlace {
  const [server = url, prefix = ''] = url.split('#');
  return { url: server, prefix: prefix || 'topo_bench_items' };
}

export function redisDriver(url: string, timeoutMs: number): ConnectionDriver<RedisConnection> {
  return {
    connect: () => connectTo(url, timeoutMs),
    isOpen: (client) => client.isReady,
    disconnect: (client) => {
      try {
        client.destroy();
      } catch {
        // It has ended by itself.
      }
    },
    isUnavailable,
  };
}

export async function connectTo(url: string, timeoutMs: number): Promise<RedisConnection> {
  // Our pool opens lost connections again, when there is something to ask.
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
  });
  client.on('error', () => {});
  await client.connect();
  return client as unknown as RedisConnection;
}

/** Answers of a server that is not ready; other answers with a word in capitals in front are about the command. */
const goingAnswers = /^(LOADING|MASTERDOWN|READONLY|MISCONF|OOM|CLUSTERDOWN|TRYAGAIN|BUSY)\b/;

function isUnavailable(error: unknown): boolean {
  const { message } = error as Error;
  return goingAnswers.test(message) || !/^[A-Z]+ /.test(message);
}
