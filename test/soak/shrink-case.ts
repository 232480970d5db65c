/** Makes a case smaller as long as it violates the same claim: fewer requests, faults, changes, rules and services. */
import type { RulesInput } from '@topo-bench/core/schema/rules';
import type { FlowItem } from '@topo-bench/core/schema/topology';
import type { Played, Violation } from './play-case.ts';
import type { SoakCase } from './soak-case.ts';

/**
 * @param play rejects for a case that is no valid topology
 * @param untilMs time of `performance.now()` at which it returns what it has
 */
export async function shrinkCase(
  one: SoakCase,
  kind: Violation['kind'],
  play: (smaller: SoakCase) => Promise<Played>,
  untilMs: number,
): Promise<SoakCase> {
  let smallest = one;
  const take = async (smaller: SoakCase): Promise<boolean> => {
    if (performance.now() > untilMs) return false;
    const played = await play(smaller).catch(() => undefined);
    if (!played?.violations.some((violation) => violation.kind === kind)) return false;
    smallest = smaller;
    return true;
  };
  const shorten = async <T>(list: readonly T[], withList: (list: T[]) => SoakCase): Promise<void> => {
    let left = list;
    for (let size = Math.ceil(left.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < left.length; ) {
        const without = [...left.slice(0, at), ...left.slice(at + size)];
        if (await take(withList(without))) left = without;
        else at += size;
      }
    }
  };
  for (let before: SoakCase | undefined; before !== smallest; ) {
    before = smallest;
    await shorten(smallest.requests, (requests) => ({ ...smallest, requests }));
    await shorten(smallest.faults, (faults) => ({ ...smallest, faults }));
    await shorten(smallest.changes, (changes) => ({ ...smallest, changes }));
    await shorten(smallest.rules.rules, (rules) => ({ ...smallest, rules: { ...smallest.rules, rules } }));
    for (const i of smallest.changes.keys())
      await shorten(smallest.changes[i]?.rules.rules ?? [], (rules) => withRules(smallest, i, rules));
    for (const name of servicesOf(smallest)) await take(withoutService(smallest, name));
    for (const simple of [{ decideUs: 0 }, { prepareUs: 0 }])
      if (Object.entries(simple).some(([name, value]) => smallest[name as 'decideUs'] !== value))
        await take({ ...smallest, ...simple });
  }
  return smallest;
}

function withRules(one: SoakCase, index: number, rules: RulesInput['rules']): SoakCase {
  const changes = one.changes.map((change, i) =>
    i === index ? { ...change, rules: { ...change.rules, rules } } : change,
  );
  return { ...one, changes };
}

function servicesOf({ topology: { services = [] } }: SoakCase): string[] {
  return services.flatMap((service) => ('name' in service ? service.name : []));
}

function withoutService(one: SoakCase, name: string): SoakCase {
  const { services = [], flow } = one.topology;
  const keep = (items: FlowItem[]): FlowItem[] =>
    items.flatMap((item): FlowItem[] => {
      if (typeof item === 'string') return item === name ? [] : [item];
      const branches = keep(item);
      return branches.length > 0 ? [branches] : [];
    });
  const topology = {
    ...one.topology,
    services: services.filter((service) => !('name' in service) || service.name !== name),
  };
  return { ...one, topology: { ...topology, ...(Array.isArray(flow) && { flow: keep(flow as FlowItem[]) }) } };
}
