/** Whether this machine can bear the cells of an experiment, estimated from a five-second probe of a small one. */
import { describeCell, formatError, TopoBenchError } from '@topo-bench/core';
import { usableCores } from '@topo-bench/host';
import { canBeJudged, cellToProbe, type Demand, demandOf, probeCost } from '@topo-bench/measured/bearable';
import type { Backend, ExperimentCell } from '@topo-bench/trial';
import { interruptible } from '../../interrupt.ts';
import { note, progressLine } from '../../output.ts';

/** Demand by cell; empty where no cell can be judged, or the probe fails. */
export async function demandsOf(
  cells: readonly ExperimentCell[],
  backend: Backend,
): Promise<Map<ExperimentCell, Demand>> {
  const cell = cellToProbe(cells);
  if (!cell) return new Map();
  progressLine(
    `probing for five seconds what a request costs here: ${describeCell(cell.levels)} (--no-probe skips it)`,
  );
  try {
    const model = await interruptible(
      (signal) => probeCost(cell, backend, { signal, onPhase: () => undefined }),
      'interrupted: tearing down',
    );
    if (!model) {
      note('warning: no estimate of the load: the probe had no answered request');
      return new Map();
    }
    return new Map(cells.filter(canBeJudged).map((one) => [one, demandOf(one, model, usableCores())]));
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code === 'TB_INTERRUPTED') throw error;
    note(`warning: no estimate of the load: ${formatError(error)}`);
    return new Map();
  }
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
