/** Checks of the experiment of a routing study. */
import { formatUs, type Problem, type SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import { checkRequestDriver } from '@topo-bench/study-kit/request-driver';
import type { Graph } from '@topo-bench/topology';
import type { Study } from '@topo-bench/trial';

export const check: Study['check'] = (cells, locate) =>
  cells.flatMap(({ settings, graph }) => [
    ...checkRequestDriver(settings, locate(['flight'])),
    ...checkDeadline(settings, graph, locate(['drain'])),
    ...checkGateways(settings, graph, locate(['load', 'driver'])),
  ]);

/** A client of the closed model keeps its connection to one gateway, whatever the origin of its next request. */
function checkGateways({ load }: ExperimentFile, { gateways }: Graph, place: SourceLocation): Problem[] {
  if (load.driver === 'open' || gateways.length === 1) return [];
  const message = `the driver \`${load.driver}\` sends all requests to one gateway, and the topology has ${gateways.length}`;
  const hint = 'choose `driver: open`, or `gateways: one` in the topology';
  return [{ ...place, code: 'TB_EXPERIMENT_ONE_GATEWAY', message, hint }];
}

/**
 * A drain longer than the gateway's deadline waits for requests that the gateway has cancelled.
 * @param place of the experiment's field `drain`
 */
function checkDeadline({ drain }: ExperimentFile, { deadlines }: Graph, place: SourceLocation): Problem[] {
  if (deadlines.requestUs >= drain) return [];
  const message = `the drain waits ${formatUs(drain)} for open requests, and the gateway gives each up after ${formatUs(deadlines.requestUs)}`;
  const hint = `set deadlines.request to ${formatUs(drain)} or more: requests that it cuts off count as unfinished`;
  return [{ ...place, code: 'TB_EXPERIMENT_SHORT_DEADLINE', message, hint, severity: 'warning' }];
}
