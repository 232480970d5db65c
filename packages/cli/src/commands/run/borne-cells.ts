/** Whether this machine can bear the cells of an experiment, estimated from a five-second probe of a small one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeCell, formatError, TopoBenchError } from '@topo-bench/core';
import { type ExperimentCell, measuredBackend } from '@topo-bench/experiment';
import { canBeJudged, cellToProbe, type Demand, demandOf, probeCost } from '@topo-bench/experiment/bearable';
import { capacityOf } from '@topo-bench/experiment/capacities';
import type { RunnerNamed } from '@topo-bench/runners';
import { interruptible } from '../../interrupt.ts';
import { note, progressLine } from '../../output.ts';

/** Demand by cell; empty where no cell can be judged, or the probe fails. */
export async function demandsOf(
  cells: readonly ExperimentCell[],
  runnerNamed: RunnerNamed,
): Promise<Map<ExperimentCell, Demand>> {
  const cell = cellToProbe(cells);
  if (!cell) return new Map();
  progressLine(
    `probing for five seconds what a request costs here: ${describeCell(cell.levels)} (--no-probe skips it)`,
  );
  const logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-probe-'));
  const backend = measuredBackend({ runnerNamed, logsDir });
  try {
    const model = await interruptible(
      (signal) => probeCost(cell, backend, { signal, onPhase: () => undefined }),
      'interrupted: tearing down',
    );
    if (!model) {
      note('warning: no estimate of the load: the probe had no answered request');
      return new Map();
    }
    return new Map(cells.filter(canBeJudged).map((one) => [one, demandOf(one, model, capacityOf(one).cores)]));
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code === 'TB_INTERRUPTED') throw error;
    note(`warning: no estimate of the load: ${formatError(error)}`);
    return new Map();
  } finally {
    await backend.close?.();
    await rm(logsDir, { recursive: true, force: true });
  }
}

/** Why a cell cannot be borne; undefined where the estimate is below the limits. */
export function overload({ hostShare, busiest }: Demand, cores: number): string | undefined {
  if (hostShare > 1) return `needs about ${percent(hostShare)} of the ${cores} cores of this machine`;
  if (busiest.share > 1)
    return `keeps one event loop of ${busiest.role} busy for about ${percent(busiest.share)} of the time`;
  return undefined;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))}%`;
}
