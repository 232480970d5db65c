/** The registry of stores: each loads its own code on first use. */
import type { StoreConnector, StoreName } from './store-connector.ts';

// biome-ignore lint/suspicious/noExplicitAny: each store has a configuration of its own type, which it parses itself.
export const storeConnectors: Readonly<Record<StoreName, () => Promise<StoreConnector<any>>>> = {
  mongodb: async () => (await import('./mongodb.ts')).mongodb,
  parquet: async () => (await import('./parquet.ts')).parquet,
  postgresql: async () => (await import('./postgresql.ts')).postgresql,
};
