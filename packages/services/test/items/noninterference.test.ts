/**
 * Noninterference: what a caller is answered does not depend on items that are denied to him. Two stores differ in such
 * items alone; the same calls must have the same answers, byte for byte, after as many calls of the store, which take
 * most of the time of an answer. The oracle selects the denied items.
 */
import type { Item } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  callerOf,
  callsOf,
  oracleFor,
  type Request,
  type Scenario,
  scenario,
  store,
  storeCalls,
} from './item-scenarios.ts';
import type { Ask, RoutedAnswer } from './routed-items.ts';

/** Which items the rules deny to the caller. */
function denialsIn(given: Scenario): (item: Item) => boolean {
  const oracle = oracleFor(given);
  return (one) => oracle.visible(callerOf(given), { ...one }) === undefined;
}

/** All answers to the requests, each list with its further pages. A sealed cursor is random: its length counts. */
async function answersFrom(ask: Ask, content: readonly Item[], requests: readonly Request[]): Promise<object[]> {
  store.fill(content);
  const answers: object[] = [];
  let before = storeCalls.length;
  const note = ({ status: code, text, headers }: RoutedAnswer): string | null => {
    const { next = null } = text === '' ? {} : (JSON.parse(text) as { next?: string | null });
    const calls = storeCalls.length - before;
    before = storeCalls.length;
    answers.push({ code, headers, calls, text: next === null ? text : text.replace(next, '.'.repeat(next.length)) });
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
