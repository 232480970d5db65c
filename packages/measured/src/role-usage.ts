/** Usage of the processes of a deployment in the measured window, by kind of role. */
import type { RoleStats } from '@topo-bench/core';
import type { ResourceUse } from '@topo-bench/core/schema/result';
import type { ProcessUse } from '@topo-bench/loadgen';
import type { CpuUse } from '@topo-bench/results';

/**
 * CPU time by kind of role, generator and host apart. `carrier` are the roles next to user-supplied services: without
 * enforcement they carry the flow, otherwise they are idle.
 * @param use by kind; if the host cannot read it, empty: then the roles' own clocks since the reset of counters are
 *   used
 */
export function roleCpu(
  stats: readonly RoleStats[],
  use: Readonly<Record<string, ProcessUse>>,
): Readonly<Record<string, CpuUse>> {
  return Object.keys(use).length > 0 ? use : ownCpu(stats);
}

function ownCpu(stats: readonly RoleStats[]): Record<string, { cpuUs: number }> {
  const byKind: Record<string, { cpuUs: number }> = {};
  const add = (kind: string, cpuUs: number): void => {
    byKind[kind] = { cpuUs: (byKind[kind]?.cpuUs ?? 0) + cpuUs };
  };
  for (const { kind, cpuUs, carrierCpuUs, unmeasured } of stats) {
    if (!unmeasured) add(kind, cpuUs);
    if (carrierCpuUs !== undefined) add('carrier', carrierCpuUs);
  }
  return byKind;
}

/** Counters of the host for processes, in the window of the load only. */
export function hostFigures(use: ProcessUse | undefined): ResourceUse {
  if (!use) return {};
  const { windowUs, cpuUs, idleCpuPercent, throttling } = use;
  return {
    cpuPercent: (100 * cpuUs) / windowUs,
    ...(idleCpuPercent !== undefined && { idleCpuPercent }),
    ...(throttling && {
      quotaPeriods: throttling.periods,
      throttledPeriods: throttling.throttledPeriods,
      throttledUs: throttling.throttledUs,
    }),
  };
}

/**
 * Resources by kind of role: CPU and memory summed over its processes, the highest event-loop utilisation and queue.
 * @param pssBytesOf proportional set size by name of the role; empty if the host cannot read it
 */
export function roleResources(
  stats: readonly RoleStats[],
  windowUs: number,
  uses: Readonly<Record<string, ProcessUse>>,
  pssBytesOf: ReadonlyMap<string, number>,
): Record<string, ResourceUse> {
  const measured = stats.filter(({ unmeasured }) => !unmeasured);
  // The service of a user can be known to its host alone.
  const kinds = [...new Set(stats.map(({ kind }) => kind))].filter(
    (kind) => uses[kind] || measured.some((role) => role.kind === kind),
  );
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      {
        ...use(
          measured.filter((role) => role.kind === kind),
          kind,
        ),
        ...sizes(kind),
        ...hostFigures(uses[kind]),
      },
    ]),
  );

  /** Whether only the host measures a user-supplied service of the kind. */
  function isPartly(kind: string): boolean {
    return uses[kind] !== undefined && stats.some((role) => role.kind === kind && role.unmeasured);
  }

  /** Sum over all processes of the kind, as the host counts them. */
  function sizes(kind: string): ResourceUse {
    const { [kind]: known } = uses;
    return known && isPartly(kind) ? { processes: known.processes, rssBytes: known.rssBytes } : {};
  }

  function use(roles: readonly RoleStats[], kind: string): ResourceUse {
    if (roles.length === 0) return {};
    const sum = (value: (role: RoleStats) => number): number => roles.reduce((total, role) => total + value(role), 0);
    // The size is that of the role, and never that of a user-supplied service.
    const pssKnown =
      !isPartly(kind) && roles.every(({ name, carrierCpuUs }) => pssBytesOf.has(name) && carrierCpuUs === undefined);
    return {
      processes: roles.length,
      cpuPercent: (sum(({ cpuUs }) => cpuUs) / windowUs) * 100,
      rssBytes: sum(({ rssBytes }) => rssBytes),
      ...(pssKnown && { pssBytes: sum(({ name }) => pssBytesOf.get(name) ?? 0) }),
      eventLoopUtilization: Math.min(1, Math.max(...roles.map(({ eventLoopUtilization }) => eventLoopUtilization))),
      connections: sum(({ connections }) => connections),
      queuedMax: Math.max(...roles.map(({ queuedMax }) => queuedMax)),
    };
  }
}
