/**
 * The enforcement point of items and the oracle, which share no code, agree about random rules, callers and calls. The
 * expected answer is computed from the oracle over a list of items.
 */
import { type Item, readEnforcement } from '@topo-bench/core';
import type { ItemOracle } from '@topo-bench/oracle/item-calls';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callerOf, callsOf, oracleFor, type Request, type Scenario, scenario, store } from './item-scenarios.ts';
import type { Ask, RoutedAnswer } from './routed-items.ts';

interface Expected {
  status: number;
  /** Rule that refuses, where the answer names one. */
  rule?: string | undefined;
  ids?: string[];
}

const fieldOf: Record<string, string> = { customer: 'customer', status: 'status', from: 'createdAt', sku: 'lines' };

function expectedFor(oracle: ItemOracle, given: Scenario, request: Request): Expected {
  if (typeof request === 'object' && 'item' in request) return expectedWrite(oracle, given, request);
  const facts = callerOf(given);
  const items = given.first;
  const call = oracle.call(facts);
  if (call.refused) return { status: 451, rule: call.rule };
  const isVisible = (item: Item): boolean => oracle.visible(facts, { ...item }) !== undefined;
  if (request === 'stats') {
    const right = oracle.statistics(facts);
    return right.refused ? { status: 451, rule: right.rule } : { status: 200 };
  }
  if ('id' in request) {
    const found = items.find(({ id }) => id === request.id);
    if (found && isVisible(found)) return { status: request.verb === 'GET' ? 200 : 204 };
    return { status: found || oracle.mayDeny(facts) ? 451 : 404 };
  }
  const query = new URL(request.list, 'http://store').searchParams;
  const fields = [...query.keys()].flatMap((name) => fieldOf[name] ?? []);
  const filter = oracle.filter(facts, fields);
  if (filter.refused) return { status: 451, rule: filter.rule };
  const found = items
    .filter(isVisible)
    .filter(({ customer }) => customer === (query.get('customer') ?? customer))
    .filter(({ status }) => status === (query.get('status') ?? status))
    .filter(({ createdAt }) => createdAt >= (query.get('from') ?? ''))
    .filter(({ lines }) => !query.has('sku') || lines.some(({ sku }) => sku === query.get('sku')))
    .map(({ createdAt, id }) => `${createdAt} ${id}`)
    .sort();
  const ids = found.slice(0, Number(query.get('limit'))).map((position) => position.split(' ')[1] as string);
  return { status: 200, ids };
}

function expectedWrite(
  oracle: ItemOracle,
  given: Scenario,
  { verb, item }: Extract<Request, { item: Item }>,
): Expected {
  const facts = callerOf(given);
  if (!oracle.stored(facts, { ...item })) return { status: 451, rule: oracle.decide(facts, { ...item }).rule };
  const before = given.first.find(({ id }) => id === item.id);
  if (!before) return { status: 201 };
  if (verb === 'POST') return { status: 409 };
  return { status: oracle.visible(facts, { ...before }) === undefined ? 451 : 200 };
}

function perform(ask: Ask, request: Request): Promise<RoutedAnswer> {
  if (request === 'stats') return ask('GET', '/items/stats');
  if ('list' in request) return ask('GET', request.list);
  if ('id' in request) return ask(request.verb, `/items/${request.id}`);
  return ask(request.verb, request.verb === 'PUT' ? `/items/${request.item.id}` : '/items', request.item);
}

it('an enforcement point answers random calls as the oracle expects', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const oracle = oracleFor(given);
      const ask = await callsOf(given);
      for (const request of given.requests) {
        store.fill(given.first);
        const { status, text, headers } = await perform(ask, request);
        const { rule, items } = (text === '' ? {} : JSON.parse(text)) as { rule?: string; items?: Item[] | number };
        const ids = Array.isArray(items) ? items.map(({ id }) => id) : undefined;
        const expected = expectedFor(oracle, given, request);
        expect({ status, rule, ids }).toEqual({ rule: undefined, ids: undefined, ...expected });
        expect(readEnforcement(headers['x-topo-enforcement'] ?? '')).toBeDefined();
        const kind = `${status}${rule === undefined ? '' : ' by a rule'}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }),
    { numRuns: 150, seed: 20261128 },
  );
  const kinds = ['200', '201', '204', '404', '409', '451', '451 by a rule'];
  expect(Math.min(...kinds.map((kind) => seen.get(kind) ?? 0))).toBeGreaterThan(0);
});
