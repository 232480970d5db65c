/** Real database servers for tests: one of each engine per test file, stopped with it. */
import {
  enginesOf,
  type StoreConfiguration,
  type StoreEngine,
  storeConfigurations,
  TopoBenchError,
} from '@topo-bench/core';
import { startServer } from '../src/servers/start-server.ts';
import type { StoreServer } from '../src/servers/store-server.ts';

export interface StoreCase {
  configuration: StoreConfiguration;
  engine: StoreEngine;
}

/** Every configuration on every engine that can hold it. */
export const storeCases: readonly StoreCase[] = storeConfigurations.flatMap((configuration) =>
  enginesOf[configuration].map((engine) => ({ configuration, engine })),
);

export interface TestServers {
  /** Why there is no server of the engine; undefined when there is one. */
  missing(engine: StoreEngine): string | undefined;
  get(engine: StoreEngine): StoreServer;
  stop(): Promise<void>;
}

/** In CI a missing server is an error. */
export async function startServers(engines: readonly StoreEngine[]): Promise<TestServers> {
  const servers = new Map<StoreEngine, StoreServer>();
  const reasons = new Map<StoreEngine, string>();
  const starts = await Promise.allSettled(
    engines.map(async (engine) => {
      try {
        servers.set(engine, await startServer({ engine }));
      } catch (error) {
        if (!(error instanceof TopoBenchError) || error.code !== 'TB_STORE_NO_SERVER' || process.env.CI) throw error;
        reasons.set(engine, error.message);
      }
    }),
  );
  const stop = async (): Promise<void> =>
    void (await Promise.all([...servers.values()].map((server) => server.stop())));
  for (const start of starts) {
    if (start.status === 'rejected') {
      await stop();
      throw start.reason;
    }
  }
  return {
    missing: (engine) => reasons.get(engine),
    get: (engine) => servers.get(engine) as StoreServer,
    stop,
  };
}
