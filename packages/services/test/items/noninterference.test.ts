/**
 * Noninterference: what a caller is answered does not depend on items that are denied to him. Two stores differ in such
 * items alone; the same calls must have the same answers, byte for byte. The oracle selects the denied items.
 */
import { headersOfFacts, type Item, itemStatuses } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import { itemOracle } from '@topo-bench/oracle/item-calls';
import type { Graph } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RuleParts, testGraph } from '../fixtures/deployment.ts';
import { MemoryStore } from './memory-store.ts';
import { type Ask, guardedBy, type RoutedAnswer, serviceOf } from './routed-items.ts';

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
  about('payload.status', status),
  about('payload.totalCents', fc.constant(1), 'greaterThan'),
  about('payload.note', word),
  about('payload.lines[0].sku', sku),
  about('payload.createdAt', createdAt),
  about('payload.address.city', word),
);
const leaf = fc.oneof(
  { weight: 3, arbitrary: ofItems },
  about('purpose', fc.constantFrom('audit', 'marketing')),
  about('origin', fc.constantFrom('eu', 'us')),
);
const few = fc.array(leaf, { minLength: 1, maxLength: 3 });
const condition: fc.Arbitrary<Condition> = fc.oneof(
  leaf,
  few.map((all) => ({ all })),
  few.map((any) => ({ any })),
  leaf.map((not) => ({ not })),
);
const pointer = fc.constantFrom(
  '/customer',
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

type Request =
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

const scenario = fc.record({
  rules,
  purpose: fc.constantFrom('audit', 'marketing'),
  origin: fc.constantFrom('eu', 'us'),
  engine: fc.constantFrom('compiled' as const, 'json-rules-engine' as const),
  ...{ first: items, second: items },
  requests: fc.array(request, { minLength: 3, maxLength: 10 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const store = new MemoryStore();
const service = serviceOf(store);

function callerOf({ origin, purpose }: Scenario) {
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

/** Which items the rules deny to the caller. */
function denialsIn(given: Scenario): (item: Item) => boolean {
  const oracle = itemOracle(graphFor(given), 'orders', 0, 'any key');
  return (one) => oracle.visible(callerOf(given), { ...one }) === undefined;
}

/** The caller at the enforcement point. */
async function callsOf(given: Scenario): Promise<Ask> {
  const { ask } = await guardedBy(graphFor(given), service.ask);
  return (method, path, body) => ask(method, path, body, headersOfFacts(callerOf(given)));
}

/** All answers to the requests, each list with its further pages. A sealed cursor is random: its length counts. */
async function answersFrom(ask: Ask, content: readonly Item[], requests: readonly Request[]): Promise<object[]> {
  store.fill(content);
  const answers: object[] = [];
  const note = ({ status: code, text, headers }: RoutedAnswer): string | null => {
    const { next = null } = text === '' ? {} : (JSON.parse(text) as { next?: string | null });
    answers.push({ code, headers, text: next === null ? text : text.replace(next, '.'.repeat(next.length)) });
    return next;
  };
  for (const one of requests) {
    if (one === 'stats') note(await ask('GET', '/items/stats'));
    else if ('list' in one) {
      for (let after: string | null = ''; after !== null; ) {
        after = note(await ask('GET', `${one.list}${after && `&after=${after}`}`));
      }
    } else if ('id' in one) note(await ask(one.verb, `/items/${one.id}`));
    else note(await ask(one.verb, one.verb === 'PUT' ? `/items/${one.item.id}` : '/items', one.item));
  }
  return answers;
}

/** Shows that a property is about calls of every outcome. */
function leastSeen(seen: ReadonlyMap<string, number>): number {
  return Math.min(...['200', '201', '204', '409', '451'].map((code) => seen.get(code) ?? 0));
}

function tally(seen: Map<string, number>, answers: readonly object[]): void {
  for (const { code } of answers as { code: number }[]) seen.set(`${code}`, (seen.get(`${code}`) ?? 0) + 1);
}

describe('answers to a caller', () => {
  const writesTo = (one: Request): string | undefined =>
    typeof one === 'object' && 'item' in one ? one.item.id : undefined;

  it('do not depend on the existence of items that are denied to him, except where he writes to their ids', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const isDenied = denialsIn(given);
        const shared = given.first.filter((one) => !isDenied(one));
        const hidden = given.first.filter(isDenied);
        const others = given.second.filter((one) => isDenied(one) && !shared.some((common) => common.id === one.id));
        const secret = new Set([...hidden, ...others].map((one) => one.id));
        const requests = given.requests.filter((one) => !secret.has(writesTo(one) ?? ''));
        fc.pre(secret.size > 0 && requests.length > 0);
        const ask = await callsOf(given);
        const answers = await answersFrom(ask, [...shared, ...hidden], requests);
        tally(seen, answers);
        expect(await answersFrom(ask, [...shared, ...others], requests)).toEqual(answers);
        expect(await answersFrom(ask, shared, requests)).toEqual(answers);
      }),
      { numRuns: 100, seed: 20261126 },
    );
    expect(leastSeen(seen)).toBeGreaterThan(0);
  });

  it('never depend on the contents of items that are denied to him, and his calls leave these items alone', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const isDenied = denialsIn(given);
        const shared = given.first.filter((one) => !isDenied(one));
        const hidden = given.first.filter(isDenied);
        const others = hidden.map((one) => given.second.find((other) => other.id === one.id && isDenied(other)) ?? one);
        fc.pre(hidden.some((one, at) => JSON.stringify(one) !== JSON.stringify(others[at])));
        const ask = await callsOf(given);
        const answers = await answersFrom(ask, [...shared, ...hidden], given.requests);
        tally(seen, answers);
        expect(await Promise.all(hidden.map((one) => store.get(one.id)))).toEqual(hidden);
        expect(await answersFrom(ask, [...shared, ...others], given.requests)).toEqual(answers);
      }),
      { numRuns: 100, seed: 20261127 },
    );
    expect(leastSeen(seen)).toBeGreaterThan(0);
  });
});
