/**
 * Processors of the nodes of a topology on one host: disjoint sets of equal size, so that nodes do not take CPU time
 * from each other, as on machines of their own.
 */
import type { DeploymentPlan } from '@topo-bench/deployment';

export interface CpuSets {
  /** Value of `CpusetCpus` of a node; undefined where all nodes share all processors. */
  of(node: number): string | undefined;
  /** Why nodes share processors; absent for a plan with one node. */
  notice?: string;
}

/** The load generator runs on the host of a local engine. */
const generatorCores = 1;

/**
 * @param cores processors of the engine
 * @param local whether load generators run on the same host. They keep the processors with the lowest numbers, which
 * also handle most interrupts, and those that remain.
 */
export function cpuSetsOf({ roles }: DeploymentPlan, { cores, local }: { cores: number; local: boolean }): CpuSets {
  const nodes = [...new Set(roles.map(({ node }) => node))].sort((a, b) => a - b);
  if (nodes.length < 2) return { of: () => undefined };
  const kept = local ? generatorCores : 0;
  const each = Math.floor((cores - kept) / nodes.length);
  if (each < 1) {
    const needed = `${nodes.length} nodes${local ? ' and the load generator' : ''} need ${nodes.length + kept}`;
    return {
      of: () => undefined,
      notice: `the nodes of the topology share all ${cores} cores of the engine: ${needed} for CPU sets of their own`,
    };
  }
  const first = cores - each * nodes.length;
  const sets = new Map(nodes.map((node, at) => [node, range(first + at * each, each)]));
  return { of: (node) => sets.get(node) };
}

function range(first: number, count: number): string {
  return count === 1 ? String(first) : `${first}-${first + count - 1}`;
}
