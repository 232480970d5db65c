/** Random rules about items and calls, items and requests, from one small vocabulary: conditions are often met. */
import { headersOfFacts, type Item, itemStatuses } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import { type ItemFacts, type ItemOracle, itemOracle } from '@topo-bench/oracle/item-calls';
import type { Graph } from '@topo-bench/topology';
import fc from 'fast-check';
import { type RuleParts, testGraph } from '../fixtures/deployment.ts';
import { MemoryStore } from './memory-store.ts';
import { type Ask, guardedBy, serviceOf } from './routed-items.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const id = fc.constantFrom(...ids);
const customer = fc.constantFrom('ann', 'vip');
const status = fc.constantFrom(...itemStatuses.slice(0, 3));
const createdAt = fc.integer({ min: 1, max: 4 }).map((day) => `2026-03-0${day}T00:00:00.000Z`);
const sku = fc.constantFrom('s1', 's2');
const totalCents = fc.constantFrom(0, 5, 500);
const word = fc.constantFrom('x', 'y');

const item: fc.Arbitrary<Item> = fc
  .record({
    ...{ id, customer, status, createdAt, totalCents, note: word, city: word },
    skus: fc.array(sku, { maxLength: 2 }),
  })
  .map(({ city, skus, ...rest }) => ({
    ...rest,
    currency: 'EUR',
    lines: skus.map((one) => ({ sku: one, title: '', quantity: 1, priceCents: 1 })),
    address: { name: '', street: '', city, postcode: '', country: '' },
  }));
const items = fc.uniqueArray(item, { selector: (one) => one.id, maxLength: ids.length });

const about = (path: string, value: fc.Arbitrary<unknown>, operator = 'equal'): fc.Arbitrary<Condition> =>
  value.map((literal) => ({ fact: 'request', path: `$.${path}`, operator, value: literal }));
const ofItems = fc.oneof(
  about('payload.customer', customer),
  about('payload.id', id),
  about('payload.status', status),
  about('payload.totalCents', fc.constant(1), 'greaterThan'),
  about('payload.note', word),
  about('payload.lines[0].sku', sku),
  about('payload.createdAt', createdAt),
  about('payload.address.city', word),
);
const ofCalls = fc.oneof(
  about('purpose', fc.constantFrom('audit', 'marketing')),
  about('origin', fc.constantFrom('eu', 'us')),
);
const leaf = fc.oneof({ weight: 3, arbitrary: ofItems }, { weight: 2, arbitrary: ofCalls });
const few = fc.array(leaf, { minLength: 1, maxLength: 3 });
const condition: fc.Arbitrary<Condition> = fc.oneof(
  leaf,
  // Excluded by the facts of about half of the calls.
  fc.tuple(ofItems, ofCalls).map((all) => ({ all })),
  few.map((all) => ({ all })),
  few.map((any) => ({ any })),
  leaf.map((not) => ({ not })),
);
const pointer = fc.constantFrom(
  '/customer',
  '/id',
  '/currency',
  '/address/country',
  '/lines/0/sku',
  '/status',
  '/createdAt',
  '/note',
  '/lines',
  '/address/city',
  '/totalCents',
);
const rule = fc
  .record({
    when: condition,
    effect: fc.constantFrom('deny' as const, 'deny' as const, 'redact' as const, 'allow' as const, 'reroute' as const),
    remove: fc.array(pointer, { maxLength: 1 }),
    pseudonymise: fc.array(pointer, { minLength: 1, maxLength: 1 }),
  })
  .map(({ remove, pseudonymise, ...rest }) => ({
    ...rest,
    ...(rest.effect === 'redact' && { redact: { remove, pseudonymise } }),
    ...(rest.effect === 'reroute' && { to: 'other' }),
  }));
const rules: fc.Arbitrary<RuleParts> = fc
  .record({
    default: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const),
    rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
  })
  .map((set) => ({ ...set, rules: set.rules.map((one, index) => ({ ...one, id: `r${index}` })) }));

export type Request =
  | { verb: 'GET' | 'DELETE'; id: string }
  | { verb: 'PUT' | 'POST'; item: Item }
  | { list: string }
  | 'stats';
const list = fc
  .record(
    { customer, status, sku, from: createdAt, limit: fc.integer({ min: 1, max: 4 }) },
    { requiredKeys: ['limit'] },
  )
  .map((query) => ({ list: `/items?${new URLSearchParams(query as unknown as Record<string, string>)}` }));
const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 4, arbitrary: list },
  { weight: 3, arbitrary: fc.record({ verb: fc.constantFrom('GET' as const, 'DELETE' as const), id }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constantFrom('PUT' as const, 'POST' as const), item }) },
  { weight: 1, arbitrary: fc.constant('stats' as const) },
);

export const scenario = fc.record({
  rules,
  purpose: fc.constantFrom('audit', 'marketing'),
  origin: fc.constantFrom('eu', 'us'),
  engine: fc.constantFrom('compiled' as const, 'json-rules-engine' as const),
  ...{ first: items, second: items },
  requests: fc.array(request, { minLength: 3, maxLength: 10 }),
});
export type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

export const store = new MemoryStore();
const service = serviceOf(store);
/** Calls of the store so far. */
export const storeCalls: readonly string[] = service.calls;

export function callerOf({ origin, purpose }: Scenario): ItemFacts {
  return { class: 'order', origin, purpose, consents: [] };
}

function graphFor({ rules: parts, engine }: Scenario): Graph {
  const persistence = { store: 'sql-indexed' as const, rows: 1 };
  const services = [
    { name: 'orders', persistence },
    { name: 'other', role: 'alternative' as const },
  ];
  return testGraph({ enforcement: { architecture: 'sidecar', engine }, services }, parts);
}

export function oracleFor(given: Scenario): ItemOracle {
  return itemOracle(graphFor(given), 'orders', 0, 'any key');
}

/** The caller at the enforcement point. */
export async function callsOf(given: Scenario): Promise<Ask> {
  const { ask } = await guardedBy(graphFor(given), service.ask);
  return (method, path, body) => ask(method, path, body, headersOfFacts(callerOf(given)));
}
