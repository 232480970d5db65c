/** Messages between a run and the process of the embedded engine. They travel over IPC. */
import type { EngineSettings, JobOutcome, JobRequest } from '../job.ts';

export type ToEngine =
  | { kind: 'prepare'; settings: EngineSettings }
  | { kind: 'job'; request: JobRequest }
  | { kind: 'stop' };

export type FromEngine = { kind: 'ready' } | { kind: 'done'; outcome: JobOutcome };
