/** A five-second probe: deploys one small cell of an experiment, without events, and measures its CPU per request. */
import { isEnforced, localRunner } from '@topo-bench/core';
import type { Backend, ExperimentCell, MeasureContext } from '@topo-bench/trial';
import { type CostModel, costModelOf } from './cost-model.ts';

/** One second to start, two to warm up, two of load. */
const warmup = { requests: 100, change: 0.5, window: 500e3, connections: 8, max: 2e6 };
const durationUs = 2e6;
const drainUs = 2e6;
const rateRps = 40;

/**
 * The cell to probe: the one with the fewest processes of those that enforce rules, else of all. Undefined where no
 * cell has requests at a rate on this machine.
 */
export function cellToProbe(cells: readonly ExperimentCell[]): ExperimentCell | undefined {
  const [first] = cells
    .filter(canBeJudged)
    .toSorted((a, b) => Number(enforces(b)) - Number(enforces(a)) || a.plan.roles.length - b.plan.roles.length);
  return first;
}

/** Whether a cell has requests at a rate, and services on this machine. */
export function canBeJudged({ study, settings, graph }: ExperimentCell): boolean {
  return (
    study.kind === 'routing' &&
    settings.runner === localRunner &&
    settings.load.driver === 'open' &&
    graph.services.every(({ user, persistence }) => !user && !persistence)
  );
}

/**
 * @returns undefined where no request was answered
 * @throws TopoBenchError as `Backend.deploy`; nothing of the deployment is left
 */
export async function probeCost(
  cell: ExperimentCell,
  backend: Pick<Backend, 'deploy'>,
  context: MeasureContext,
): Promise<CostModel | undefined> {
  const { settings } = cell;
  const load = { ...settings.load, rate: Math.min(rateRps, settings.load.rate), generators: 1 };
  const changed = { ...settings, load, warmup, duration: durationUs, drain: drainUs, traceHops: 0, events: [] };
  const probed: ExperimentCell = { ...cell, settings: changed };
  const bed = await backend.deploy(probed, context);
  try {
    const { entry } = await bed.measure(probed, 1, context);
    return costModelOf(probed, entry);
  } finally {
    await bed.close();
  }
}

function enforces({ graph }: ExperimentCell): boolean {
  return isEnforced(graph.enforcement.architecture);
}
