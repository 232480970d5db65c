/**
 * Facts about a load as a whole, next to its samples. Load drivers and the simulator report this plain data; results
 * are built and judged from it.
 */

/** Resources used by one generator process during the load, without the drain. */
export interface GeneratorUse {
  windowUs: number;
  /** User and system time of all its threads. */
  cpuUs: number;
  /** 0…1 */
  eventLoopUtilization: number;
  rssBytes: number;
}

export interface LoadFacts {
  startedAt: Date;
  durationUs: number;
  /** Requests sent. */
  sent: number;
  /** Max concurrent requests, the cap, and requests not sent because of it. */
  inFlight?: { max: number; cap: number; refused: number };
  /** One entry per process; empty where no process generated the load. */
  generators: readonly GeneratorUse[];
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
