/** CPU time and memory of processes with all their descendants: a database is a tree of processes. */
import { readPssBytes } from './process-memory.ts';
import { type ProcessStat, readAllProcessStats } from './process-stat.ts';
import { type GroupUsage, readProcessUsage, sumUsage } from './process-usage.ts';

export interface TreeUse {
  processes: number;
  /** User and system time since the start, with children that ended and were waited for; steps of a tick. */
  cpuUs: number;
  /** Summed over the processes: shared memory counts once for each. */
  rssBytes: number;
}

/** @returns undefined when none of the processes exists, or the system has no /proc */
export function readTreeUse(roots: readonly number[]): TreeUse | undefined {
  return treeUseOf(treeMembers(readAllProcessStats(), roots));
}

/**
 * The tree by thread. CPU time includes children that ended and were waited for.
 * @returns undefined when none of the processes exists, or the system has no /proc
 */
export function readTreeUsage(roots: readonly number[]): GroupUsage | undefined {
  return usageOf(treeMembers(readAllProcessStats(), roots));
}

/**
 * The descendants of a process, without the process itself, and all members of process groups led by its children.
 * @returns undefined when there are none, or the system has no /proc
 */
export function readStartedUsage(parent: number): GroupUsage | undefined {
  const all = readAllProcessStats();
  const groups = new Set(
    all.filter((stat) => stat.parent === parent && stat.group === stat.pid).map(({ group }) => group),
  );
  const members = new Set([...treeMembers(all, [parent]), ...all.filter(({ group }) => groups.has(group))]);
  return usageOf([...members].filter(({ pid }) => pid !== parent));
}

function usageOf(members: readonly ProcessStat[]): GroupUsage | undefined {
  return sumUsage(
    members.flatMap(({ pid, childrenCpuUs, childrenSystemUs }) => {
      const usage = readProcessUsage(pid);
      if (!usage) return [];
      return {
        ...usage,
        cpuUs: usage.cpuUs + childrenCpuUs,
        ...(usage.systemUs !== undefined && { systemUs: usage.systemUs + childrenSystemUs }),
      };
    }),
  );
}

/** Proportional set size of the tree: shared memory counts once. Slow: a millisecond or more for each process. */
export function readTreePssBytes(roots: readonly number[]): number | undefined {
  const sizes = treeMembers(readAllProcessStats(), roots).map(({ pid }) => readPssBytes(pid));
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined;
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** The roots and all their descendants, each once. */
export function treeMembers(stats: readonly ProcessStat[], roots: readonly number[]): ProcessStat[] {
  const children = new Map<number, ProcessStat[]>();
  for (const stat of stats) children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat]);
  const members = new Set<ProcessStat>();
  const open = stats.filter(({ pid }) => roots.includes(pid));
  for (let stat = open.pop(); stat; stat = open.pop()) {
    if (members.has(stat)) continue;
    members.add(stat);
    open.push(...(children.get(stat.pid) ?? []));
  }
  return [...members];
}

/** Sums over processes; undefined for none. */
export function treeUseOf(members: readonly ProcessStat[]): TreeUse | undefined {
  if (members.length === 0) return undefined;
  return {
    processes: members.length,
    cpuUs: members.reduce((sum, { cpuUs, childrenCpuUs }) => sum + cpuUs + childrenCpuUs, 0),
    rssBytes: members.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  };
}
