/** What a backend needs for cells, estimated before anything is deployed: time, processes and memory. */
import type { ExperimentCell } from './study.ts';

/** Seconds: the expected ones, and an upper limit. */
export interface TimeEstimate {
  seconds: number;
  maxSeconds: number;
}

export interface Effort {
  /** What the estimate does not know, one sentence each. */
  remarks: readonly string[];
  /** Max number of roles that the hosts of this cell can run at the same time. */
  maxProcessesOf(cell: ExperimentCell): number;
  /** Processes, containers or pods of the deployments of these cells, all at the same time. */
  processesOf(cells: readonly ExperimentCell[]): number;
  /** Memory of one process after a load. */
  bytesPerProcess: number;
  /** One deployment of all these cells at the same time, with its warm-up. */
  deployTime(cells: readonly ExperimentCell[]): TimeEstimate;
  /** Load and drain of one repetition. Cells that take turns share `sharedSeconds` of it. */
  loadTime(cell: ExperimentCell): TimeEstimate & { sharedSeconds: number };
  /** What a run does once for these cells, e.g. loads of tables. */
  onceTime(cells: readonly ExperimentCell[]): TimeEstimate;
}
