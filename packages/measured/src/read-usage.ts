/** Usage of the roles of a deployment since their start, in the groups that a load window watches. */
import { type ProcessUsage, sumThrottling, sumUsage, type Throttling } from '@topo-bench/host';
import type { GroupReading, LimitedUsage, Usages } from '@topo-bench/loadgen';
import type { Deployment, RoleUsage } from '@topo-bench/runners';

/**
 * Usage of a deployment by kind of role. `carrier` are the roles of user-supplied services: without enforcement they
 * carry the flow, otherwise they are idle. Kinds with an unreadable process are missing.
 */
export async function usageByKind(deployment: Pick<Deployment, 'usage'>): Promise<Usages> {
  const byKind = new Map<string, [role: string, usage: ProcessUsage | undefined][]>();
  const add = (kind: string, role: string, usage: ProcessUsage | undefined): void => {
    byKind.set(kind, [...(byKind.get(kind) ?? []), [role, usage]]);
  };
  const throttled = new Map<string, Throttling[]>();
  for (const { name, kind, process, userService, started, throttling } of await deployment.usage()) {
    add(userService ? 'carrier' : kind, name, process);
    if (started) add(kind, name, started);
    if (throttling) throttled.set(kind, [...(throttled.get(kind) ?? []), throttling]);
  }
  return Object.fromEntries(
    [...byKind].flatMap(([kind, usages]): [string, LimitedUsage][] => {
      const known = usages.flatMap(([role, usage]) => (usage ? [[role, usage] as const] : []));
      const sum = known.length === usages.length ? sumUsage(known.map(([, usage]) => usage)) : undefined;
      const throttling = sumThrottling(throttled.get(kind) ?? []);
      return sum ? [[kind, { ...sum, ...(throttling && { throttling }), roles: Object.fromEntries(known) }]] : [];
    }),
  );
}

/** Usage of one role as a group; undefined if its host cannot read it. */
export function usageOfRole(usages: readonly RoleUsage[], role: string): LimitedUsage | undefined {
  const { process, throttling } = usages.find(({ name }) => name === role) ?? {};
  const sum = process && sumUsage([process]);
  return sum && { ...sum, ...(throttling && { throttling }), roles: { [role]: process } };
}

/** Usage of the process of one role; undefined if its host cannot read it. */
export function readingOf(usages: readonly RoleUsage[], role: string): GroupReading | undefined {
  const { process, pssBytes } = usages.find(({ name }) => name === role) ?? {};
  return process && { processes: 1, ...process, ...(pssBytes !== undefined && { pssBytes }) };
}
