/** Whether this machine can bear the cells of an experiment, estimated from a five-second probe of a small one. */
import { formatError, TopoBenchError } from '@topo-bench/core';
import { usableCores } from '@topo-bench/host';
import { canBeJudged, cellToProbe, type Demand, demandOf, probeCost } from '@topo-bench/measured/bearable';
import type { Backend, ExperimentCell } from '@topo-bench/trial';

export interface ProbeOptions {
  signal: AbortSignal;
  /** Called before a cell is deployed. */
  onProbe?: ((cell: ExperimentCell) => void) | undefined;
  onWarning?: ((message: string) => void) | undefined;
}

/**
 * Demand by cell; empty where no cell can be judged, or the probe fails.
 * @throws TopoBenchError `TB_INTERRUPTED`
 */
export async function demandsOf(
  cells: readonly ExperimentCell[],
  backend: Backend,
  { signal, onProbe, onWarning }: ProbeOptions,
): Promise<Map<ExperimentCell, Demand>> {
  const cell = cellToProbe(cells);
  if (!cell) return new Map();
  onProbe?.(cell);
  try {
    const model = await probeCost(cell, backend, { signal, onPhase: () => undefined });
    if (model) return new Map(cells.filter(canBeJudged).map((one) => [one, demandOf(one, model, usableCores())]));
    onWarning?.('no estimate of the load: the probe had no answered request');
  } catch (error) {
    if (signal.aborted || !(error instanceof TopoBenchError) || error.code === 'TB_INTERRUPTED') throw error;
    onWarning?.(`no estimate of the load: ${formatError(error)}`);
  }
  return new Map();
}

/** Why a cell cannot be borne; undefined where the estimate is below the limits. */
export function overload({ hostShare, busiest }: Demand): string | undefined {
  if (hostShare > 1) return `needs about ${percent(hostShare)} of the ${usableCores()} cores of this machine`;
  if (busiest.share > 1)
    return `keeps one event loop of ${busiest.role} busy for about ${percent(busiest.share)} of the time`;
  return undefined;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))}%`;
}
