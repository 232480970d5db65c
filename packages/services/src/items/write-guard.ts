/**
 * Decides before each write whether an item may be kept, and in which form: the store is the target of the decision, with its
 * own region. What is refused never reaches the store, and of what is redacted only the redacted form does. The request
 * says in headers what rules can ask about it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestFacts, TargetFacts } from '@topo-bench/core/facts';
import type { RolePersistence } from '@topo-bench/core/persistence';
import type { RoleConfig } from '@topo-bench/core/role-config';
import { createRuleEngine } from '@topo-bench/rule-engine/registry';
import type { Item } from '@topo-bench/stores/item';
import { redactPayload } from '../executor/redact-payload.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { redactedItem } from './redacted-item.ts';

export interface WriteGuard {
  /** @returns the item as it may be kept @throws HttpProblem 451, or 503 where there are no rules */
  admit(item: Item, headers: IncomingHttpHeaders): Promise<Item>;
}

/** @param complain is told why there are no rules, once */
export async function writeGuard(
  config: RoleConfig,
  persistence: RolePersistence,
  complain: (reason: string) => void,
): Promise<WriteGuard> {
  const { rules } = persistence;
  if (!rules) return { admit: async (item) => item };
  const target = targetOf(config, persistence);
  try {
    const engine = await createRuleEngine(config.engine, rules, [target]);
    return {
      admit: async (item, headers) => {
        const request = requestFacts(item, headers, persistence);
        const { effect, rule, remove, pseudonymise } = await engine.decide({
          request,
          target,
          flow: { services: [], regions: [] },
        });
        if (effect === 'allow') return item;
        // There is no other store to go to: a reroute keeps the item from this one.
        if (effect !== 'redact') throw refusal(rule);
        const { id: _, ...payload } = item;
        const kept = redactedItem(item, redactPayload(payload, { remove, pseudonymise }, config.pseudonymKey));
        if (!kept) throw refusal(rule);
        return kept;
      },
    };
  } catch (error) {
    complain(`has no rules and refuses every write: ${(error as Error).message}`);
    const noRules = new HttpProblem(503, 'no-rules', 'this service holds no rules and keeps nothing');
    return { admit: () => Promise.reject(noRules) };
  }
}

function refusal(rule: string | undefined): HttpProblem {
  return new HttpProblem(
    451,
    'refused',
    rule === undefined ? 'no rule allows to keep this item' : `the rule ${rule} refuses to keep this item`,
  );
}

function targetOf({ graph, name, responsibleFor: [own = -1] }: RoleConfig, { region }: RolePersistence): TargetFacts {
  const service = graph.services[own];
  return { service: service?.name ?? name, node: graph.nodes[service?.node ?? 0]?.name ?? '', region, tags: service?.tags ?? [] };
}

/** Names of the headers that say what rules can ask about a write. */
export const factHeaders = {
  class: 'x-topo-class',
  origin: 'x-topo-origin',
  purpose: 'x-topo-purpose',
  /** Separated by commas. */
  consents: 'x-topo-consents',
} as const;

function requestFacts(
  { id: _, ...payload }: Item,
  headers: IncomingHttpHeaders,
  { region, categories }: RolePersistence,
): RequestFacts {
  const said = (name: string, otherwise: string): string => String(headers[name] ?? otherwise);
  return {
    class: said(factHeaders.class, 'item'),
    origin: said(factHeaders.origin, region),
    purpose: said(factHeaders.purpose, 'contract'),
    consents: said(factHeaders.consents, '')
      .split(',')
      .map((consent) => consent.trim())
      .filter((consent) => consent !== ''),
    categories: [...new Set(Object.values(categories))].filter((category) => category !== 'none'),
    payload,
  };
}
