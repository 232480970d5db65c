/** Levels that every table of a stream study has columns for. */
import { formatUs } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { reads } from './jobs/job-size.ts';
import type { StreamExperiment } from './parts.ts';

/** The job has a level of its own where it is not generation, as in results before there were others. */
export function levels({ stream }: StreamExperiment): FactorLevels {
  if (!stream) return {};
  const { job, engine, database, windows, points, entries, queries } = stream;
  return {
    ...(job !== 'generate' && { job }),
    ...(engine !== 'embedded' && { streamEngine: engine }),
    database,
    windows: windows === 'none' ? windows : formatUs(windows),
    ...(job === 'generate' ? { points } : { entries, ...(reads(job) && { queries }) }),
  };
}
