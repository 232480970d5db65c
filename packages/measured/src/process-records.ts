/** Causes of the figures of roles, by kind: threads as counted by the host, and the roles' own counters. */
import type { CollectionPauses, RoleStats } from '@topo-bench/core';
import type { ProcessRecord } from '@topo-bench/core/schema/result';
import type { ProcessUse } from './process-use.ts';

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
    [...kinds].map((kind) => [
      kind,
      { ...threads(uses[kind]), ...counted(stats.filter((role) => kindOf(role) === kind)) },
    ]),
  );
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
