/** Asks a database server for any answer, through its own driver: an open port alone does not mean that it serves. */
import type { StoreEngine } from '@topo-bench/core';

const timeoutMs = 3000;

interface PingModule {
  ping(url: string, timeoutMs: number): Promise<void>;
}

// Modules of ours, since a driver that is imported dynamically loses its names in the bundle.
const pingModules: Record<StoreEngine, () => Promise<PingModule>> = {
  postgresql: () => import('../postgresql/ping.ts'),
  mysql: () => import('../mysql/ping.ts'),
  mongodb: () => import('../mongodb/ping.ts'),
  redis: () => import('../redis/ping.ts'),
};

/** Rejects with the driver's error when the server does not answer. */
export async function ping(engine: StoreEngine, url: string): Promise<void> {
  const { ping } = await pingModules[engine]();
  return ping(url, timeoutMs);
}

/** The driver's error when the server does not answer; undefined when it does. */
export async function pingFailure(engine: StoreEngine, url: string): Promise<Error | undefined> {
  try {
    await ping(engine, url);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
