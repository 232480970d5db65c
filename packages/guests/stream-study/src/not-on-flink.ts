/** Combinations of levels that an engine does not run. */
import type { StoreEngine } from '@topo-bench/core';
import type { OmittedCell } from '@topo-bench/trial';
import type { StreamExperiment } from './parts.ts';
import type { Stream } from './settings-schema.ts';

/** Those that the job has a client of. Named here, because a run on the embedded engine loads no part of Flink. */
export const databasesOnFlink: readonly StoreEngine[] = ['postgresql', 'mysql', 'mongodb', 'redis'];

export function omits({ stream }: StreamExperiment): OmittedCell | undefined {
  const message = stream?.engine === 'flink' ? whyNotOnFlink(stream) : undefined;
  return message === undefined ? undefined : { code: 'TB_EXPERIMENT_STREAM', message };
}

function whyNotOnFlink({ database, job, grid, killAfter }: Stream): string | undefined {
  if (!databasesOnFlink.includes(database)) {
    return `jobs on Flink write to ${databasesOnFlink.join(', ')} alone: not measured on ${database}`;
  }
  if (job !== 'generate') return `Flink runs the job \`generate\` alone: not measured for ${job}`;
  if (grid !== 'none') return 'jobs on Flink have no grid in front of the database: not measured behind one';
  if (killAfter !== undefined) return '`killAfter` ends embedded processors alone: not measured on Flink';
  return undefined;
}
