/** What the processes of a deployment used over the measured window, by kind of role: from their own clocks and counters. */
import type { RoleStats } from '@topo-bench/core';
import type { ResourceUse } from '@topo-bench/core/schema/result';

/**
 * CPU time per request by kind of role, and `total` over all of them (generator and host apart).
 * `carrier` are the roles beside services of the user's: without enforcement they carry the flow, otherwise they idle.
 * The window reaches from the reset before the first request to the end of the drain, so that work on late requests counts.
 * @param answered requests that were answered in the window; 0 gives no figures
 */
export function cpuUsPerRequest(stats: readonly RoleStats[], answered: number): Record<string, number> {
  if (answered === 0) return {};
  const byKind: Record<string, number> = {};
  const add = (kind: string, cpuUs: number): void => {
    byKind[kind] = (byKind[kind] ?? 0) + cpuUs / answered;
  };
  for (const { kind, cpuUs, carrierCpuUs, unmeasured } of stats) {
    if (!unmeasured) add(kind, cpuUs);
    if (carrierCpuUs !== undefined) add('carrier', carrierCpuUs);
  }
  return { ...byKind, total: Object.values(byKind).reduce((sum, value) => sum + value, 0) };
}

/**
 * Resources by kind of role: CPU and memory summed over its processes, the highest event-loop utilisation and queue.
 * @param pssBytesOf proportional set size by process id; empty where the system does not tell
 */
export function roleResources(
  stats: readonly RoleStats[],
  windowUs: number,
  pssBytesOf: ReadonlyMap<number, number>,
): Record<string, ResourceUse> {
  const measured = stats.filter(({ unmeasured }) => !unmeasured);
  const kinds = [...new Set(measured.map(({ kind }) => kind))];
  return Object.fromEntries(kinds.map((kind) => [kind, use(measured.filter((role) => role.kind === kind))]));

  function use(roles: readonly RoleStats[]): ResourceUse {
    const sum = (value: (role: RoleStats) => number): number => roles.reduce((total, role) => total + value(role), 0);
    // Of a service of the user's, only the process of its role is known by id.
    const pssKnown = roles.every(({ pid, carrierCpuUs }) => pssBytesOf.has(pid) && carrierCpuUs === undefined);
    return {
      processes: roles.length,
      cpuPercent: (sum(({ cpuUs }) => cpuUs) / windowUs) * 100,
      rssBytes: sum(({ rssBytes }) => rssBytes),
      ...(pssKnown && { pssBytes: sum(({ pid }) => pssBytesOf.get(pid) ?? 0) }),
      eventLoopUtilization: Math.min(1, Math.max(...roles.map(({ eventLoopUtilization }) => eventLoopUtilization))),
      connections: sum(({ connections }) => connections),
      queuedMax: Math.max(...roles.map(({ queuedMax }) => queuedMax)),
    };
  }
}
