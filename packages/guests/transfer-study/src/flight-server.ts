/**
 * The port of the process at the other end of a transfer: a role of the deployment, or a Flight server of other people.
 */
import type { RoleStats, TopoBenchError } from '@topo-bench/core';
import type { GroupUsage } from '@topo-bench/host';
import type { GroupReading } from '@topo-bench/loadgen';
import type { TransferResult } from './payload-schema.ts';

export interface FlightServer {
  readonly identity: NonNullable<TransferResult['server']>;
  /** Whether it is the service of the topology, with its rules. */
  readonly isService: boolean;
  /** `grpc+tcp://…` or `grpc+tls://…` */
  readonly flightUrl: string;
  /** What its processes have used since they started; undefined where the host does not tell. */
  usage(): Promise<GroupUsage | undefined>;
  /** The same at less precision, for a series over time. */
  reading(options: { pss: boolean }): Promise<GroupReading | undefined>;
  /** What it counted since the last reset; undefined for a server that counts nothing. */
  stats(): Promise<RoleStats | undefined>;
  /** Calls back when it ends before `stop`, also when it already has. */
  onDeath(callback: (error: TopoBenchError) => void): void;
  /** May be called again. */
  stop(): Promise<void>;
}
