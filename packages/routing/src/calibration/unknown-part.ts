/** What of a cell the model does not know: it is neither fitted, nor predicted next to its measurement. */
import { localRunner } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';

/** @returns its name; undefined for a cell that the model knows */
export function unknownPart({ settings, plan, graph }: ExperimentCell): string | undefined {
  const { load, runner, deploy, events, traceHops } = settings;
  if (load.driver !== 'open') return `load.driver ${load.driver}`;
  if (runner !== localRunner) return `runner ${runner}`;
  if (deploy === 'interleaved') return 'deploy interleaved';
  if (events.length > 0) return 'events';
  if (traceHops !== 0) return 'traceHops';
  if (plan.roles.some(({ limits }) => limits !== undefined)) return 'limits of processes';
  return graph.services.some(({ user }) => user !== undefined) ? 'services with an own program' : undefined;
}
