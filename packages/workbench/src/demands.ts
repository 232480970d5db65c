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

/** No core is this much faster than the one of the probe. */
const fasterCore = 4;

/**
 * Why a cell cannot be borne; undefined where the estimate is below the limits. More cores do not help a process whose
 * event loop has no time left.
 * @param cores of this machine
 */
export function overload(
  { hostShare, busiest }: Pick<Demand, 'hostShare' | 'busiest'>,
  cores = usableCores(),
): string | undefined {
  const reasons = [
    ...(hostShare > 1 ? [`needs about ${amount(hostShare * cores)} cores, and this machine has ${cores}`] : []),
    ...(busiest.share > 1
      ? [
          `one process of ${busiest.role} would need ${amount(busiest.share)} times the time that it has: ${busiest.share > fasterCore ? 'no machine can do it' : 'more cores do not help'}`,
        ]
      : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

/** Two digits. */
function amount(value: number): string {
  return String(Number(value.toPrecision(2)));
}
