/** Causes of the figures of roles, by kind and by role: CPU as counted by the host, and the roles' own counters. */
import type { CollectionPauses, RoleStats } from '@topo-bench/core';
import type { ProcessRecord, RoleRecord } from '@topo-bench/core/schema/result';
import type { CpuUse, ProcessUse } from '@topo-bench/loadgen';

/**
 * @param uses by kind; empty if the host has no such counters
 * @param stats of the roles; empty if they did not answer
 */
export function processRecords(
  uses: Readonly<Record<string, ProcessUse>>,
  stats: readonly RoleStats[],
): Record<string, ProcessRecord> {
  const kinds = new Set([...Object.keys(uses), ...stats.map(kindOf)]);
  return Object.fromEntries(
    [...kinds].map((kind) => {
      const roles = stats.filter((role) => kindOf(role) === kind);
      return [
        kind,
        { ...cpu(uses[kind]), ...threads(uses[kind]), ...counted(roles), roles: roleRecords(uses[kind], roles) },
      ];
    }),
  );
}

/** By name. */
function roleRecords(use: ProcessUse | undefined, stats: readonly RoleStats[]): Record<string, RoleRecord> {
  const names = new Set([...Object.keys(use?.roles ?? {}), ...stats.map(({ name }) => name)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const role = stats.find((one) => one.name === name);
      const ofHost = use?.roles?.[name];
      const times = ofHost?.systemUs === undefined ? ownCpu(role) : ofHost;
      return [name, { ...cpu(times), ...waits(ofHost), ...handled(role) }];
    }),
  );
}

/** As the role counts it, where the host reports nothing. */
function ownCpu(role: RoleStats | undefined): CpuUse | undefined {
  if (role?.systemUs === undefined) return undefined;
  return { cpuUs: role.carrierCpuUs ?? role.cpuUs, systemUs: role.systemUs };
}

function cpu(use: CpuUse | undefined): Pick<RoleRecord, 'cpu'> {
  if (use?.systemUs === undefined) return {};
  const systemUs = Math.round(use.systemUs);
  return { cpu: { userUs: Math.max(0, Math.round(use.cpuUs) - systemUs), systemUs } };
}

function waits({ mainThread, otherThreads }: Partial<CpuUse> = {}): Pick<RoleRecord, 'wait'> {
  if (!mainThread || !otherThreads) return {};
  return { wait: { mainThreadUs: Math.round(mainThread.waitUs), otherThreadsUs: Math.round(otherThreads.waitUs) } };
}

function handled(role: RoleStats | undefined): RoleRecord {
  if (!role) return {};
  const { served, eventLoop, messages, bytes, connections: open, connectionsOpened: opened } = role;
  return {
    served,
    ...(eventLoop && { turns: eventLoop.turns }),
    ...(messages && { messages }),
    ...(bytes && { bytes }),
    ...(opened !== undefined && { connections: { opened, open } }),
  };
}

/** A role next to a user-supplied service counts itself, never that service. */
function kindOf({ kind, carrierCpuUs }: RoleStats): string {
  return carrierCpuUs === undefined ? kind : 'carrier';
}

function threads(use: ProcessUse | undefined): ProcessRecord {
  const { mainThread, otherThreads } = use ?? {};
  return { ...(mainThread && { mainThread }), ...(otherThreads && { otherThreads }) };
}

function counted(roles: readonly RoleStats[]): ProcessRecord {
  if (roles.length === 0) return {};
  const collections = roles.flatMap((role) => role.collections ?? []);
  const loops = roles.flatMap(({ eventLoop }) => eventLoop ?? []);
  const servedBefore = roles.flatMap((role) => role.servedBefore ?? []);
  return {
    ...(collections.length === roles.length && {
      collections: {
        minor: together(collections.map(({ minor }) => minor)),
        major: together(collections.map(({ major }) => major)),
      },
    }),
    ...(loops.length === roles.length && {
      eventLoop: { turns: sum(loops.map(({ turns }) => turns)), idleUs: sum(loops.map(({ idleUs }) => idleUs)) },
    }),
    ...(servedBefore.length === roles.length && {
      servedBefore: { min: Math.min(...servedBefore), max: Math.max(...servedBefore) },
    }),
  };
}

function together(pauses: readonly CollectionPauses[]): CollectionPauses {
  return {
    count: sum(pauses.map(({ count }) => count)),
    pauseUs: sum(pauses.map(({ pauseUs }) => pauseUs)),
    maxPauseUs: Math.max(...pauses.map(({ maxPauseUs }) => maxPauseUs)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
