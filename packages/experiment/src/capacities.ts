/** Adds the capacity of their runners to cells: estimates and limits are those of the hosts that roles run on. */
import { type RunnerName, TopoBenchError } from '@topo-bench/core';
import { usableCores, usableMemoryBytes } from '@topo-bench/host';
import type { RunnerCapacity, RunnerNamed } from '@topo-bench/runners';
import type { ExperimentCell } from './study.ts';

/** Cells of a runner without an answer stay without capacity: the check of the runner reports the cause. */
export async function withCapacities<Resolved extends { cells: ExperimentCell[] }>(
  resolved: Resolved,
  runnerNamed: RunnerNamed,
): Promise<Resolved> {
  const names = [...new Set(resolved.cells.map(({ settings }) => settings.runner))];
  const found = await Promise.all(names.map(async (name) => [name, await answered(name, runnerNamed)] as const));
  const capacities = new Map(found);
  const cells = resolved.cells.map((cell) => {
    const capacity = capacities.get(cell.settings.runner);
    return capacity ? { ...cell, capacity } : cell;
  });
  return { ...resolved, cells };
}

/** Capacity for the roles of a cell; default: that of this machine. */
export function capacityOf({ capacity }: Pick<ExperimentCell, 'capacity'>): RunnerCapacity {
  return capacity ?? { cores: usableCores(), memoryBytes: usableMemoryBytes() };
}

async function answered(name: RunnerName, runnerNamed: RunnerNamed): Promise<RunnerCapacity | undefined> {
  try {
    return await (await runnerNamed(name)).capacity?.();
  } catch (error) {
    if (error instanceof TopoBenchError) return undefined;
    throw error;
  }
}
