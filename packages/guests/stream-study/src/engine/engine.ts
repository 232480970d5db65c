/**
 * The port of engines: stream processors that run the jobs of a study. Each has a folder of the same name, whose
 * `engine.ts` exports an `EngineModule`.
 */

import type { RunEnvironment } from '@topo-bench/measured';
import type { Stream } from '../settings-schema.ts';
import type { EngineSettings, JobOutcome, JobRequest } from './job.ts';

export interface EngineModule {
  /** Checks before a run that the engine can run its cells. @throws TopoBenchError with exit code 3 */
  require(streams: readonly Stream[], environment: RunEnvironment): Promise<void>;
  /** An engine for one repetition. */
  open(environment: RunEnvironment): Engine;
}

/** Runs one job at a time. */
export interface Engine {
  /** Draws the input, and makes the engine ready for jobs. @throws TopoBenchError `TB_STREAM_ENGINE` */
  prepare(settings: EngineSettings): Promise<void>;
  /** @throws TopoBenchError the failure of the job */
  run(request: JobRequest): Promise<JobOutcome>;
  /**
   * Cancels the job that runs, and removes what the engine has created. May be called again.
   * @throws TopoBenchError `TB_STREAM_ENGINE` naming what could not be removed
   */
  stop(): Promise<void>;
}
