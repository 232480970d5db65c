/** Use of roles and facts of their machines, as the roles report them: nothing else reads their `/proc`. */
import { createHash } from 'node:crypto';
import type { RoleConfig } from '@topo-bench/core';
import type { Host, HostEnvironment } from '@topo-bench/core/schema/result';
import { type OwnUsage, readBootId } from '@topo-bench/host';
import type { ControlClient } from '../control-client.ts';
import type { HttpRole } from '../http-deployment.ts';
import { inParallel } from '../in-parallel.ts';
import { roleUsage } from '../role-usage.ts';
import type { RoleUsage, UsageOptions } from '../runner.ts';
import type { KeptRoles } from './kept-roles.ts';

const askedAtOnce = 16;

export interface ClusterHost {
  host: Host;
  /** It runs on the kernel of this process, e.g. in kind. */
  isThisMachine: boolean;
}

/** Id of a node: its name, without naming it. */
export function hostId(nodeName: string): string {
  return createHash('sha256').update(nodeName).digest('hex').slice(0, 12);
}

/** @param roles with their nodes; the first of each node is asked */
export async function readHosts(client: ControlClient, roles: readonly HttpRole[]): Promise<ClusterHost[]> {
  const first = new Map(roles.toReversed().map((role) => [role.host, role]));
  const bootId = readBootId();
  return inParallel([...first.values()].toReversed(), askedAtOnce, async (role) => {
    const { bootId: other, ...environment } = await client.ask<HostEnvironment & { bootId?: string }>(
      role,
      'GET',
      '/control/host',
    );
    const host = { id: role.host, ...environment, hostname: role.host };
    return { host, isThisMachine: bootId !== undefined && other === bootId };
  });
}

export interface UsageQuestion extends UsageOptions {
  /** Whether a role has ended, which its cluster may report after it stopped answering. */
  hasEnded(role: string): Promise<boolean>;
  /** Roles that are known to have ended. */
  ended: ReadonlySet<string>;
  /** Processes that were killed by plan. Default: none. */
  kept?: Pick<KeptRoles, 'isDown' | 'useOf'> | undefined;
}

/** @throws Error for a role that has ended: a sum without it could be smaller than one before */
export function sumCpuUs(usages: readonly RoleUsage[]): number {
  return usages.reduce((sum, { name, process }) => {
    if (!process) throw new Error(`the CPU time of ${name} is unknown: the role has ended`);
    return sum + process.cpuUs;
  }, 0);
}

/** In the order of the roles. The counters of a role that has ended are lost, also where its container runs again. */
export function readUsage(
  client: ControlClient,
  roles: readonly { role: HttpRole; config: RoleConfig }[],
  { pss, ended, hasEnded, kept }: UsageQuestion,
): Promise<RoleUsage[]> {
  return inParallel(roles, askedAtOnce, async ({ role, config }): Promise<RoleUsage> => {
    const { name } = role;
    if (ended.has(name)) return roleUsage(config);
    if (kept?.isDown(name)) return roleUsage(config, { process: kept.useOf(name) });
    const path = pss ? '/control/usage/pss' : '/control/usage';
    const usage = await client.ask<OwnUsage>(role, 'GET', path).catch(async (error) => {
      if (await hasEnded(name)) return undefined;
      throw error;
    });
    if (!usage) return roleUsage(config);
    const { process, pssBytes, started, cgroup } = usage;
    return roleUsage(config, {
      process: kept?.useOf(name, process) ?? process,
      ...{ pssBytes, started },
      // Without a limit the kernel counts no periods.
      throttling: cgroup?.throttling?.periods ? cgroup.throttling : undefined,
    });
  });
}
