/** The item routes of an enforcement point: `/<service>/items`, with the same verbs as the service's own routes. */
import { enforcedItemsPath, type GraphService, type GuardedItems } from '@topo-bench/core';
import type { RoleCounters } from '../control/role-counters.ts';
import type { FullConfig } from '../full-config.ts';
import type { HopClient } from '../hops/hop-client.ts';
import type { LinkDelays } from '../hops/link-delay.ts';
import type { Call, Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { EnforcedItems } from './enforced-items.ts';
import { ItemGuard } from './item-guard.ts';
import { type ItemHandlers, itemVerbs } from './item-verbs.ts';
import { CursorSeal } from './sealed-cursor.ts';
import { StoreCalls } from './store-calls.ts';

export interface GuardedItemRoutesOptions {
  config: FullConfig;
  client: HopClient;
  links: LinkDelays;
  counters: RoleCounters;
  /** Called with the reason if a service has no usable rules. */
  warn(line: string): void;
}

export async function guardedItemRoutes(
  options: GuardedItemRoutesOptions,
  items: readonly GuardedItems[],
): Promise<Route[]> {
  const { config, counters } = options;
  const routes = await Promise.all(
    items.map(async (one) => {
      const service = config.graph.services[one.service] as GraphService;
      const handlers = await handlersOf(options, one, service);
      return itemVerbs(
        enforcedItemsPath(service.name),
        config.secrets.clientToken,
        handlers,
        counters,
        'sealed-cursor',
      );
    }),
  );
  return routes.flat();
}

/** Without usable rules, every call is refused. */
async function handlersOf(
  { config, client, links, counters, warn }: GuardedItemRoutesOptions,
  items: GuardedItems,
  { name, node }: GraphService,
): Promise<ItemHandlers> {
  try {
    return new EnforcedItems({
      service: name,
      guard: await ItemGuard.load(config, items),
      calls: new StoreCalls(config, client, links, name, items.timeoutMs),
      cursors: new CursorSeal(config.secrets.pseudonymKey, name),
      pseudonymKey: config.secrets.pseudonymKey,
      categories: items.categories,
      onNodeOfStore: node === config.node,
      count: (effect) => void counters.decisions[effect]++,
    });
  } catch (error) {
    warn(`no usable rules for the items of ${name}; every call is refused: ${(error as Error).message}`);
    const refuse = async (_call: Call): Promise<void> => {
      throw new HttpProblem(503, 'no-rules', `${config.name} has no usable rules for the items of ${name}`);
    };
    return { create: refuse, query: refuse, stats: refuse, get: refuse, put: refuse, delete: refuse };
  }
}
