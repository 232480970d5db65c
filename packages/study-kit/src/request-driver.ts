/** The driver `flight` moves tables: studies that send requests have another one. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';

/** @param place of the experiment's field `flight`, or of `load` without one */
export function checkRequestDriver({ load }: ExperimentFile, place: SourceLocation): Problem[] {
  if (load.driver !== 'flight') return [];
  const message = 'the driver `flight` needs to know what to move';
  return [{ ...place, code: 'TB_EXPERIMENT_TRANSFER', message, hint: 'add e.g. `flight: { streams: 4 }`' }];
}
