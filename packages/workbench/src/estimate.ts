/** Time, memory, processes and load of a run before anything of it is measured. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateRun, type RunEstimate } from '@topo-bench/experiment';
import { openCells } from '@topo-bench/experiment/open-repetitions';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import type { Demand } from '@topo-bench/measured/bearable';
import { openRun } from '@topo-bench/results/run-folder';
import type { Backend, ExperimentCell } from '@topo-bench/trial';
import { demandsOf, overload, type ProbeOptions } from './demands.ts';
import type { Backends } from './setting.ts';

export interface EstimateOptions extends Partial<ProbeOptions> {
  /** Whether to deploy one small cell for five seconds, for the load of this machine; default: no. */
  probe?: boolean | undefined;
}

export interface CellEstimate {
  cell: ExperimentCell;
  /** Processes, containers or pods of one repetition. */
  processes: number;
  /** Seconds of one repetition, with its share of the deployment. */
  seconds: number;
  /** Absent without a probe. */
  demand?: Demand;
  /** Why this machine cannot bear the cell; absent where it can, or without a probe. */
  overload?: string;
}

export interface Estimate extends Omit<RunEstimate, 'secondsOf' | 'processesOf'> {
  cells: readonly CellEstimate[];
  /** Open repetitions of a run to continue; absent for a new one. */
  open?: number;
  /** What the estimate does not know, one sentence each. */
  remarks: readonly string[];
}

type OfRun = EstimateOptions & {
  /** The run to continue, which needs only the repetitions that it lacks. */
  folder: string | undefined;
};

export async function estimateOf(resolved: ResolvedExperiment, backends: Backends, options: OfRun): Promise<Estimate> {
  // Without a probe nothing is started, and no log is written.
  const logsDir = options.probe ? await mkdtemp(join(tmpdir(), 'topo-bench-probe-')) : tmpdir();
  let backend: Backend | undefined;
  try {
    backend = await backends(logsDir);
    return await estimateOn(backend, resolved, options);
  } finally {
    await backend?.close?.();
    if (logsDir !== tmpdir()) await rm(logsDir, { recursive: true, force: true });
  }
}

async function estimateOn(
  backend: Backend,
  resolved: ResolvedExperiment,
  { probe = false, folder, signal = new AbortController().signal, ...probing }: OfRun,
): Promise<Estimate> {
  const effort = await backend.effortOf(resolved.cells);
  const open = folder === undefined ? undefined : openCells(resolved, effort, (await openRun(folder)).cells);
  const { secondsOf, processesOf, ...estimate } = estimateRun(resolved, effort, open);
  signal.throwIfAborted();
  const demands = probe ? await demandsOf(resolved.cells, backend, { ...probing, signal }) : undefined;
  const estimated = (cell: ExperimentCell): CellEstimate => {
    const demand = demands?.get(cell);
    const why = demand && overload(demand);
    const load = { ...(demand && { demand }), ...(why !== undefined && { overload: why }) };
    return { cell, processes: processesOf(cell), seconds: secondsOf(cell), ...load };
  };
  return {
    ...estimate,
    ...(open && { open: open.length }),
    remarks: effort.remarks,
    cells: resolved.cells.map(estimated),
  };
}
