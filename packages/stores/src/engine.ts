/** The port of an engine: the facts that every table is built from, and the modules that work with its driver. */
import type { StoreConfiguration, StoreOptions } from '@topo-bench/core';
import type { ServerModule } from './servers/local-server.ts';
import type { Dataset, PreparedStore, Store } from './store.ts';

export interface Engine {
  /** Name for people. What a server reports about itself can differ: several products share a protocol. */
  product: string;
  /** What it keeps, with the configurations as topology files name them. */
  keeps: string;
  /** Schemes of its connection strings with their default ports; the first is the usual one. */
  protocols: Readonly<Record<string, { defaultPort?: number }>>;
  /** Flag with the connection string of a server; the environment variable is derived from it. */
  flag: `--${string}-url`;
  /** Serves the operations of a service. Roles load nothing else. */
  store(): Promise<StoreModule>;
  /** Fills stores with rows. */
  prepare(): Promise<PrepareModule>;
  ping(): Promise<PingModule>;
  /** Finds and starts a server on this machine. */
  server(): Promise<ServerModule>;
}

export interface StoreModule {
  /** Connects when the store is first used. */
  openStore(options: StoreOptions): Store;
}

export interface PrepareModule {
  /** @throws StoreRefused when the server denies an operation */
  prepareStore(request: PrepareRequest): Promise<PreparedStore>;
}

export interface PrepareRequest {
  /** Of a server, with a user who may create and drop databases. */
  url: string;
  configuration: StoreConfiguration;
  dataset: Dataset;
  /** Name of the database (or prefix of the keys) for the items. */
  live: string;
  /** Cancels between two batches of rows. */
  signal?: AbortSignal | undefined;
}

export interface PingModule {
  /** Rejects with the driver's error when the server does not answer. */
  ping(url: string, timeoutMs: number): Promise<void>;
}
