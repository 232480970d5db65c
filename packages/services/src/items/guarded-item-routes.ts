/** The routes of an enforcement point for the items of its services: `/<service>/items`, the same verbs as at the service itself. */
import type { GraphService } from '@topo-bench/core/deployment-graph';
import { enforcedItemsPath } from '@topo-bench/core/item-api';
import type { GuardedItems } from '@topo-bench/core/persistence';
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
  /** Told why there are no rules, once per service. */
  complain(line: string): void;
}

export async function guardedItemRoutes(options: GuardedItemRoutesOptions, items: readonly GuardedItems[]): Promise<Route[]> {
  const { config, counters } = options;
  const routes = await Promise.all(
    items.map(async (one) => {
      const service = config.graph.services[one.service] as GraphService;
      const handlers = await handlersOf(options, one, service);
      return itemVerbs(enforcedItemsPath(service.name), config.secrets.clientToken, handlers, counters, 'sealed-cursor');
    }),
  );
  return routes.flat();
}

/** Without rules that can be used nothing passes. */
async function handlersOf(
  { config, client, links, counters, complain }: GuardedItemRoutesOptions,
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
    complain(`has no rules for the items of ${name} and refuses every call: ${(error as Error).message}`);
    const refuse = async (_call: Call): Promise<void> => {
      throw new HttpProblem(503, 'no-rules', `${config.name} holds no rules for the items of ${name}`);
    };
    return { create: refuse, query: refuse, stats: refuse, get: refuse, put: refuse, delete: refuse };
  }
}
