/** What the stream processor does for one kind of job: it holds the input, and runs parts of it on a heat map. */
import type { Clock } from '@topo-bench/core';
import type { HeatMap } from '@topo-bench/stores/heat-map';
import type { StreamResult } from '@topo-bench/streams';

export interface TaskRun {
  heatMap: HeatMap;
  /** The first points, entries or queries of all. */
  count: number;
  timesUs: Float64Array | undefined;
  /** Continues from the checkpoints in the heat map. */
  resume: boolean;
}

export interface Task {
  /** Event times; jobs process them from the first one on. */
  readonly timesMs: Float64Array;
  /** Runs the operators without a store: code that has not run is slower. */
  warmUp(): Promise<void>;
  run(run: TaskRun): Promise<StreamResult>;
  close(): Promise<void>;
}

/** How all jobs wait. */
export interface Waits {
  clock: Clock;
  pause(us: number, signal?: AbortSignal): Promise<void>;
  signal: AbortSignal;
}
