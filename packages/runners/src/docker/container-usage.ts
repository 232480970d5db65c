/**
 * Resource use of a role in a container. Read from `/proc` when the engine runs on this host, as for local processes;
 * from the engine otherwise. The roles do no work for it.
 */
import type { Engine } from '@topo-bench/containers';
import {
  findCgroup,
  type GroupUsage,
  type ProcessUsage,
  readProcessUsage,
  readPssBytes,
  readTreeUsage,
  sumUsage,
  type Throttling,
} from '@topo-bench/host';
import type { ContainerInspectInfo, ContainerStats } from 'dockerode';
import { roleUsage } from '../role-usage.ts';
import type { RoleUsage, UsageOptions } from '../runner.ts';
import type { RoleContainer } from './role-container.ts';
import type { WatchedContainer } from './watched-container.ts';

export async function containerUsage(
  engine: Engine,
  { config, info, user, ended, isDown }: RoleContainer,
  { pss }: UsageOptions,
): Promise<RoleUsage> {
  const pid = isDown ? undefined : processHere(engine, info);
  const current = isDown ? undefined : pid === undefined ? await statsOf(engine, info.Id) : readProcessUsage(pid);
  const process = ended.length === 0 ? current : sumUsage([...ended, ...(current ? [current] : [])]);
  const pssBytes = pid !== undefined && pss ? readPssBytes(pid) : undefined;
  const started = user && (await treeUsage(engine, user));
  const throttling = await throttlingOf(engine, user ?? { info });
  return roleUsage(config, { process, pssBytes, started, throttling });
}

/** All processes of a container: a user-supplied image may start several. */
async function treeUsage(engine: Engine, { info }: WatchedContainer): Promise<GroupUsage | undefined> {
  const pid = processHere(engine, info);
  if (pid !== undefined) return readTreeUsage([pid]);
  const all = await statsOf(engine, info.Id);
  return all && { processes: 1, ...all };
}

/** Only of a container with a limit on CPU time. */
async function throttlingOf(engine: Engine, { info }: Pick<WatchedContainer, 'info'>): Promise<Throttling | undefined> {
  if (!info.HostConfig.NanoCpus) return undefined;
  const pid = processHere(engine, info);
  if (pid !== undefined) return findCgroup(pid)?.usage().throttling;
  const data = (await engineStats(engine, info.Id))?.cpu_stats?.throttling_data;
  return (
    data && { periods: data.periods, throttledPeriods: data.throttled_periods, throttledUs: data.throttled_time / 1e3 }
  );
}

/** Keeps the use of a role until now: its container is about to be killed by plan. */
export async function keepUsage(engine: Engine, container: RoleContainer): Promise<void> {
  const { process } = await containerUsage(engine, container, {});
  const pid = processHere(engine, container.info);
  container.endedCpuUs += (pid === undefined ? undefined : findCgroup(pid)?.usage().cpuUs) ?? 0;
  container.ended.splice(0, container.ended.length, ...(process ? [{ ...process, rssBytes: 0 }] : []));
}

/** Those of the roles' containers that run on this host. */
export function containersHere(engine: Engine, roles: readonly RoleContainer[]): WatchedContainer[] {
  const all = roles.flatMap((role): WatchedContainer[] => (role.user ? [role, role.user] : [role]));
  return all.filter(({ info }) => processHere(engine, info) !== undefined);
}

/**
 * CPU time of all processes of containers on this host in µs.
 * @throws Error when one has ended unplanned: a sum without it could be smaller than one before
 */
export function containersCpuUs(engine: Engine, containers: readonly WatchedContainer[]): number {
  return containers.reduce((total, { info, isDown, endedCpuUs }) => {
    if (isDown) return total + endedCpuUs;
    const pid = processHere(engine, info);
    const cpuUs = pid === undefined ? undefined : findCgroup(pid)?.usage().cpuUs;
    if (cpuUs === undefined) throw new Error(`the CPU time of the container ${info.Name} cannot be read: it has ended`);
    return total + endedCpuUs + cpuUs;
  }, 0);
}

/**
 * Process id on this host of the first process of a container. An engine on another host, or in a machine on this one,
 * reports ids that are other processes here: the control group of the process must name the container.
 */
function processHere({ facts }: Engine, { Id, State }: ContainerInspectInfo): number | undefined {
  if (!facts.local || !State.Pid) return undefined;
  return findCgroup(State.Pid)?.path.includes(Id) ? State.Pid : undefined;
}

async function engineStats({ client }: Engine, id: string): Promise<ContainerStats | undefined> {
  // Without `one-shot` the engine waits a second for a second sample.
  const options = { stream: false, 'one-shot': true } as const;
  return client
    .getContainer(id)
    .stats(options)
    .catch(() => undefined);
}

async function statsOf(engine: Engine, id: string): Promise<ProcessUsage | undefined> {
  const stats = await engineStats(engine, id);
  const { total_usage: cpuNs, usage_in_kernelmode: systemNs } = stats?.cpu_stats?.cpu_usage ?? {};
  if (!stats || cpuNs === undefined) return undefined;
  const { usage = 0, stats: memory } = stats.memory_stats ?? {};
  // Page cache that the kernel can drop at once is not part of the working set. Version 1 of control groups first.
  const inactive = memory?.total_inactive_file ?? memory?.inactive_file ?? 0;
  return {
    cpuUs: cpuNs / 1e3,
    rssBytes: Math.max(0, usage - inactive),
    ...(systemNs !== undefined && { systemUs: systemNs / 1e3 }),
  };
}
