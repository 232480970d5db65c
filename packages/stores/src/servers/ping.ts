/** Pings a database server through its own driver: an open port alone does not mean that it serves. */
import type { StoreEngine } from '@topo-bench/core';
import { engines } from '../engines.ts';

const timeoutMs = 3000;

/** Rejects with the driver's error when the server does not answer. */
export async function ping(engine: StoreEngine, url: string): Promise<void> {
  const { ping } = await engines[engine].ping();
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
