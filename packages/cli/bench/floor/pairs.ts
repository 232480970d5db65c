/** Pairs of measurements of one cell, equal in everything but the processes that they ran on. */
import type { DeployMode } from '@topo-bench/core/schema/experiment';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Launcher } from '@topo-bench/loadgen';
import { measuredBackend } from '@topo-bench/measured';
import type { Runner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell, MeasureContext } from '@topo-bench/trial';

export interface PairOptions {
  runner: Runner;
  logsDir: string;
  launcher: Launcher;
  context: MeasureContext;
}

export type Pair = readonly [first: Cell, second: Cell];

/**
 * Two measurements with the same requests. `fresh`: each on a deployment of its own, one after the other. `round`: one
 * after the other on one deployment. `interleaved`: on two deployments that stand together and take turns.
 */
export async function measurePair(
  mode: DeployMode,
  cell: ExperimentCell,
  repetition: number,
  options: PairOptions,
): Promise<Pair> {
  if (mode === 'interleaved') return interleavedPair(cell, repetition, options);
  const { context, runner, logsDir, launcher } = options;
  const backend = measuredBackend({ studies, runnerNamed: async () => runner, logsDir, launcher });
  const measureOn = async (times: number): Promise<Cell[]> => {
    const bed = await backend.deploy(cell, context);
    const entries: Cell[] = [];
    try {
      for (let time = 0; time < times; time++) {
        if (time > 0) await bed.recover(cell, context);
        entries.push((await bed.measure(cell, repetition, context)).entry);
      }
      return entries;
    } finally {
      await bed.close();
    }
  };
  try {
    const entries = mode === 'round' ? await measureOn(2) : [...(await measureOn(1)), ...(await measureOn(1))];
    return entries as [Cell, Cell];
  } finally {
    await backend.close?.();
  }
}

async function interleavedPair(
  cell: ExperimentCell,
  repetition: number,
  { runner, logsDir, launcher, context }: PairOptions,
): Promise<Pair> {
  // Equal graphs, but not the same: the test bed distinguishes deployments by them.
  const cells = [cell, { ...cell, graph: { ...cell.graph } }];
  const backend = measuredBackend({ studies, runnerNamed: async () => runner, logsDir, launcher });
  const bed = await backend.deployTogether(cells, context, { first: repetition % 2 });
  try {
    const [first, second] = await bed.measure(cells, repetition, context);
    return [first?.entry, second?.entry] as [Cell, Cell];
  } finally {
    await bed.close();
  }
}
