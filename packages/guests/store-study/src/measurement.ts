/** A deployed store, and the result of one load on it. */
import type { RoleSecrets, RoleStats, StoreOptions, TopoBenchError } from '@topo-bench/core';
import type { DeploymentHistory } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import type { GroupUse, Launcher, LoadResult, ProcessUse } from '@topo-bench/loadgen';
import type { Deployment } from '@topo-bench/runners';
import type { PreparedStore, ServerIdentity } from '@topo-bench/stores';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { StoreWorkload } from '@topo-bench/workload';
import type { QueryClient } from './query-login.ts';

/** Result of the load. */
export interface StoreMeasurement {
  load: LoadResult;
  use: Readonly<Record<string, GroupUse>>;
  host: HostUse | undefined;
  /** Usage of `service` and `store`; a remote store is absent. */
  processes: Record<string, ProcessUse>;
  /** Counters of `service` and `enforcement`; empty after the death of a role. */
  stats: RoleStats[];
  warm: boolean;
  history: DeploymentHistory;
  deaths: readonly TopoBenchError[];
}

/** The deployed service of a cell and its store. */
export interface DeployedStore {
  deployment: Deployment;
  /** Name of the service. */
  service: string;
  /** Entry role of calls: the enforcement point of the service, or without enforcement the service. */
  entrance: string;
  /** Keys of the service. */
  secrets: RoleSecrets;
  server: StoreServer;
  identity: ServerIdentity;
  prepared: PreparedStore;
  options: StoreOptions;
  workload: StoreWorkload;
  /** Log-in and certificates of queries, in addition to those of the topology. */
  client: QueryClient;
  launcher: Launcher | undefined;
}
