/** Connections to Redis and Valkey: how to open them, and which errors mean that the server is gone. */
import { createClient } from '@redis/client';
import type { ConnectionDriver } from '../connection-pool.ts';

/** The commands that we use, out of the client's many types. */
export interface RedisConnection {
  readonly isReady: boolean;
  sendCommand(words: readonly string[]): Promise<unknown>;
  destroy(): void;
}

export interface RedisPlace {
  /** URL without our own part. */
  url: string;
  /** Prefix of all keys of a service. */
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
        // The connection has already ended.
      }
    },
    isUnavailable,
  };
}

export async function connectTo(url: string, timeoutMs: number): Promise<RedisConnection> {
  // Disabled: our pool reopens lost connections for the next operation.
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
  });
  client.on('error', () => {});
  await client.connect();
  return client as unknown as RedisConnection;
}

/** Error codes of a server that is not ready; other codes concern the command. */
const goingAnswers = /^(LOADING|MASTERDOWN|READONLY|MISCONF|OOM|CLUSTERDOWN|TRYAGAIN|BUSY)\b/;

function isUnavailable(error: unknown): boolean {
  const { message } = error as Error;
  return goingAnswers.test(message) || !/^[A-Z]+ /.test(message);
}
