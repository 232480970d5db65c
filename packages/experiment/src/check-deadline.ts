/** A drain that is longer than the gateway's deadline waits for requests that the gateway has cut off. */
import { formatUs, type Problem, type SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Graph } from '@topo-bench/topology';

/**
 * @param settings of a cell
 * @param place of the experiment's field `drain`
 */
export function checkDeadline(
  { drain, persistence, flight }: ExperimentFile,
  { deadlines }: Graph,
  place: SourceLocation,
): Problem[] {
  // Their requests do not go through the gateway.
  if (persistence || flight || deadlines.requestUs >= drain) return [];
  const message = `the drain waits ${formatUs(drain)} for open requests, and the gateway gives each up after ${formatUs(deadlines.requestUs)}`;
  const hint = `set deadlines.request to ${formatUs(drain)} or more: requests that it cuts off count as unfinished`;
  return [{ ...place, code: 'TB_EXPERIMENT_SHORT_DEADLINE', message, hint, severity: 'warning' }];
}
