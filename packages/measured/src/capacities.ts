/** Capacities of runners: estimates and limits are those of the hosts that roles run on. */
import { type RunnerName, TopoBenchError } from '@topo-bench/core';
import { usableCores, usableMemoryBytes } from '@topo-bench/host';
import type { RunnerCapacity, RunnerNamed } from '@topo-bench/runners';

/**
 * The capacity for the roles of a runner. A runner without an answer counts as this machine: its check reports the
 * cause.
 */
export async function capacitiesOf(
  names: readonly RunnerName[],
  runnerNamed: RunnerNamed,
): Promise<(name: RunnerName) => RunnerCapacity> {
  const found = new Map(
    await Promise.all(names.map(async (name) => [name, await answered(name, runnerNamed)] as const)),
  );
  const here = { cores: usableCores(), memoryBytes: usableMemoryBytes() };
  return (name) => found.get(name) ?? here;
}

async function answered(name: RunnerName, runnerNamed: RunnerNamed): Promise<RunnerCapacity | undefined> {
  try {
    return await (await runnerNamed(name)).capacity?.();
  } catch (error) {
    if (error instanceof TopoBenchError) return undefined;
    throw error;
  }
}
