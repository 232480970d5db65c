/**
 * Facts about a load as a whole, next to its samples. Load drivers and the simulator report this plain data; results
 * are built and judged from it.
 */

import type { ProcessIntervals } from './role-timeline.ts';
import type { Summary } from './schema/result.ts';

/** Resources used by one generator process during the load, without the drain. */
export interface GeneratorUse {
  windowUs: number;
  /** User and system time of all its threads. */
  cpuUs: number;
  /** 0…1 */
  eventLoopUtilization: number;
  rssBytes: number;
  /** Use over time; times are since the start of the load. */
  intervals?: ProcessIntervals;
}

/** Connections that a load opened; `onDemand` of them for a request that was due, which then pays for the handshake. */
export interface ConnectionCounts {
  opened: number;
  onDemand: number;
}

/** One generator of a load: its use, its place, its part of the requests, and its start. */
export interface GeneratorRecord extends GeneratorUse {
  name: string;
  /** Id of its host; absent where that is the coordinator's. */
  host?: string;
  /** Requests that it sent. */
  sent: number;
  schedulerLag: Summary;
  /** How long after the common start instant it began; 0 when it was ready in time. */
  startLateUs: number;
  /** Its clock minus the coordinator's, each with a bound on the error; absent where both are one clock. */
  clock?: { offsetUs: number; errorUs: number; driftUs: number; driftErrorUs: number };
}

/** Use of a host of generators during the load. */
export interface GeneratorHostUse {
  id: string;
  use: HostShares;
}

/** Shares of the time of the cores of a host that may be used, in percent, and its memory in use. */
export interface HostShares {
  idlePercent: number;
  /** Absent where the system has no such figure; 0 on a physical machine. */
  stolenPercent?: number;
  /** Share of foreign programs; absent where the system or the caller cannot distinguish them. */
  foreignPercent?: number;
  /** Memory in use at the end, foreign programs included; absent where the system has no such figure. */
  rssBytes?: number;
}

export interface LoadFacts {
  startedAt: Date;
  durationUs: number;
  /** Requests sent. */
  sent: number;
  /** Max concurrent requests, the cap, and requests not sent because of it. */
  inFlight?: { max: number; cap: number; refused: number };
  /** Absent in the closed model. */
  connections?: ConnectionCounts;
  /** One entry per process; empty where no process generated the load. */
  generators: readonly GeneratorUse[];
  /** In the order of the parts; absent where no process generated the load. */
  generatorRecords?: readonly GeneratorRecord[];
  /** Hosts of generators other than the coordinator's. */
  generatorHosts?: readonly GeneratorHostUse[];
  /**
   * Privileges granted by the host: real-time priority of all generator processes; cores kept awake. Absent without
   * processes.
   */
  granted?: { realTimePriority: boolean; coresKeptAwake: boolean };
  /**
   * Max deviation of a generator's start from the common instant: the error of clock alignment. Absent without
   * processes.
   */
  startErrorUs?: number;
}
