/** The port of an engine: the facts for all tables of engines, and the modules that use its driver. */
import type { StoreConfiguration, StoreOptions } from '@topo-bench/core';
import type { HeatMapModule } from './heat-map/heat-map.ts';
import type { EngineImage } from './servers/engine-image.ts';
import type { ServerModule } from './servers/local-server.ts';
import type { Dataset, PreparedStore, Store } from './store.ts';

export interface Engine {
  /** Display name. The name that a server reports can differ: several products share a protocol. */
  product: string;
  /** Form of its data, with the configurations as named in topology files; `heat maps` without any. */
  keeps: string;
  /** The library that uses its servers. */
  client: string;
  /** Schemes of its connection strings with their default ports; the first is the usual one. */
  protocols: Readonly<Record<string, { defaultPort?: number }>>;
  /** Flag with the connection string of a server; the environment variable is derived from it. */
  flag: `--${string}-url`;
  /** Runs its server in a container. Absent: there is no official image. */
  image?: EngineImage;
  /** Keeps the items of services; absent for an engine of heat maps alone. */
  items?: ItemModules;
  /** Creates and serves heat maps. */
  heatMap(): Promise<HeatMapModule>;
  /** Points per second of a stream job on a typical machine with two cores: for estimates and the size of benches. */
  typicalPointsPerSecond: number;
  ping(): Promise<PingModule>;
  /** Finds and starts a server on this machine. */
  server(): Promise<ServerModule>;
}

export interface ItemModules {
  /** Connection string of a store from that of its server. @param live name of the store */
  storeUrl(url: string, live: string): string;
  /** Serves the operations of a service. Roles load only this module. */
  store(): Promise<StoreModule>;
  /** Fills stores with rows. */
  prepare(): Promise<PrepareModule>;
}

export interface StoreModule {
  /** Connects on the first use of the store. */
  openStore(options: StoreOptions): Store;
}

export interface PrepareModule {
  /** @throws StoreRefused when the server denies an operation */
  prepareStore(request: PrepareRequest): Promise<PreparedStore>;
}

export interface PrepareRequest {
  /** URL of a server, with a user who may create and drop databases. */
  url: string;
  configuration: StoreConfiguration;
  dataset: Dataset;
  /** Name of the database (or prefix of the keys) for the items. */
  live: string;
  /** Aborts between two batches of rows. */
  signal?: AbortSignal | undefined;
}

export interface PingModule {
  /** Rejects with the driver's error when the server does not answer. */
  ping(url: string, timeoutMs: number): Promise<void>;
  /** Whether the driver's error means that the server answers but rejects user or password. */
  isLoginFailure(error: Error): boolean;
}
