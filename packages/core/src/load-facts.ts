/**
 * What is known of a load as a whole, next to its samples. Plain data: load drivers and the simulator report it, and
 * results are built and judged from it.
 */

/** What one generator process used during the load, without the drain. */
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
  /** Requests that left. */
  sent: number;
  /** Maximum of requests open at once, the cap, and requests not sent because of it. */
  inFlight?: { max: number; cap: number; refused: number };
  /** One entry per process; empty where no process generated the load. */
  generators: readonly GeneratorUse[];
  /**
   * What the host allowed: real-time priority of all generator processes; cores kept awake. Absent without processes.
   */
  granted?: { realTimePriority: boolean; coresKeptAwake: boolean };
  /**
   * Max distance of a generator's start from the common instant: error of the alignment of clocks. Absent without
   * processes.
   */
  startErrorUs?: number;
}
