import type { ItemEnforcement } from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import { type ItemLike, itemOracle } from '@topo-bench/oracle/item-calls';
import { graphOf } from '@topo-bench/topology';
import { type StoreWorkload, seededItem, storeRequests } from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';
import { itemCallCheck } from '../src/check-item-calls.ts';
import type { ItemAnswer } from '../src/item-answer.ts';

const graph = graphOf(
  {
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 't',
    services: [{ name: 'items', persistence: { store: 'sql-indexed', rows: 60 } }],
    enforcement: { architecture: 'sidecar' },
  },
  {
    apiVersion: 'topo-bench/v1',
    kind: 'Rules',
    name: 'r',
    rules: [
      {
        id: 'no-notes',
        effect: 'redact',
        redact: { remove: ['/note'], pseudonymise: ['/address/name'] },
        when: { all: [{ fact: 'request', path: '$.origin', operator: 'equal', value: 'us' }] },
      },
      {
        id: 'no-marketing',
        effect: 'deny',
        when: { all: [{ fact: 'request', path: '$.purpose', operator: 'equal', value: 'marketing' }] },
      },
    ],
  },
);
const common = { weight: 1, consents: [], payload: {} };
const base = { queries: 0.5, creates: 0.5, keys: 'uniform', skew: 0.99, limit: 20, path: '/items/items' } as const;
const dataset = { rows: 60, seed: 3 };
const digestKey = 'digests';
const oracle = itemOracle(graph, 'items', 0, 'pseudonyms');

/** All calls of one class, and the answers that a correct enforcement point gives without other writers. */
function calls(origin: string, purpose: string, reads: number) {
  const classes = [{ name: 'order', origin, purpose, ...common }];
  const workload: StoreWorkload = { ...base, reads, dataset, classes };
  const sent = Array.from({ length: 60 }, (_, index) => index);
  const check = itemCallCheck({ oracle, workload, seed: 1, repetition: 1, digestKey, warmUpRequests: 0, sent });
  const generate = storeRequests(workload, 1, 1);
  const rows = Array.from(
    { length: dataset.rows },
    (_, number): ItemLike => ({ ...seededItem(dataset.seed, number, dataset.rows) }),
  );
  const answer = (index: number): ItemAnswer & { enforcement: ItemEnforcement } => {
    const { facts, operation, path, body } = generate(index);
    const enforced = (decisions: ItemEnforcement['decisions']): ItemEnforcement => ({ decisions, exposureBytes: {} });
    if (purpose === 'marketing') {
      const decisions = [{ effect: 'deny' as const, rule: 'no-marketing', count: 1 }];
      const item = body === undefined ? undefined : (JSON.parse(body) as ItemLike);
      const exposureBytes = item ? oracle.exposureBytes(facts, item) : {};
      return { status: 451, enforcement: { decisions, exposureBytes }, body: { error: 'refused' } };
    }
    const decision = (count: number): ItemEnforcement['decisions'] => {
      if (count === 0) return [];
      return origin === 'us' ? [{ effect: 'redact', rule: 'no-notes', count }] : [{ effect: 'allow', count }];
    };
    if (body !== undefined) {
      const item = JSON.parse(body) as ItemLike;
      const kept = oracle.stored(facts, item) as ItemLike;
      const { id: _, ...payload } = kept;
      const exposureBytes = oracle.exposureBytes(facts, item);
      return {
        status: 201,
        enforcement: { decisions: decision(1), exposureBytes, delivered: deliveredDigests(payload, digestKey) },
        body: oracle.answered(facts, item),
      };
    }
    if (operation === 'get') {
      const item = rows.find(({ id }) => path.endsWith(id)) as ItemLike;
      return { status: 200, enforcement: enforced(decision(1)), body: oracle.visible(facts, item) };
    }
    const asked = new URLSearchParams(path.slice(path.indexOf('?')));
    const found = rows.filter((item) => item.customer === asked.get('customer') && item.status === asked.get('status'));
    const items = found.map((item) => oracle.visible(facts, item));
    return { status: 200, enforcement: enforced(decision(items.length)), body: { items, next: null } };
  };
  const of = (operation: string): number => sent.find((index) => generate(index).operation === operation) as number;
  return { check, answer, sent, of, rows, generate };
}

describe('the check of calls of items', () => {
  it.each([
    ['eu', 'contract', 1],
    ['us', 'contract', 1],
    ['us', 'marketing', 1],
    ['eu', 'contract', 0],
    ['us', 'contract', 0],
    ['us', 'marketing', 0],
  ])('finds nothing wrong with right answers: from %s, for %s, share of reads %d', (origin, purpose, reads) => {
    const { check, answer, sent } = calls(origin, purpose, reads);
    expect(sent.flatMap((index) => check(index, answer(index)) ?? [])).toEqual([]);
  });

  it('finds an item that a reader got whole, wiped, or with a pseudonym under another key', () => {
    const { check, answer, of, rows, generate } = calls('us', 'contract', 1);
    const index = of('get');
    const right = answer(index);
    const { path, facts } = generate(index);
    const whole = rows.find(({ id }) => path.endsWith(id)) as ItemLike;
    const otherKey = itemOracle(graph, 'items', 0, 'another').visible(facts, whole);
    for (const body of [
      whole,
      { id: whole.id },
      otherKey,
      { ...(right.body as object), note: '' },
      rows[(rows.indexOf(whole) + 1) % rows.length],
    ]) {
      expect(check(index, { ...right, body })).toMatch(/what rules do not leave/);
    }
  });

  it('finds a list that leaks, lacks or invents an item', () => {
    const { check, answer, of, rows } = calls('us', 'contract', 1);
    const index = of('query');
    const right = answer(index);
    const { items } = right.body as { items: ItemLike[] };
    expect(items.length).toBeGreaterThan(0);
    const whole = items.map(({ id }) => rows.find((row) => row.id === id) as ItemLike);
    const other = rows.find((row) => !items.some(({ id }) => id === row.id)) as ItemLike;
    for (const wrong of [whole, [...items, other], items.slice(1)]) {
      expect(check(index, { ...right, body: { items: wrong, next: null } })).toBeDefined();
    }
    const fewer = [{ effect: 'redact' as const, rule: 'no-notes', count: items.length - 1 }].filter(
      ({ count }) => count > 0,
    );
    const consistent = {
      ...right,
      enforcement: { ...right.enforcement, decisions: fewer },
      body: { items: items.slice(1), next: null },
    };
    expect(check(index, consistent)).toMatch(/a list lacks/);
  });

  it('finds a refusal that was left out, made up, or given another rule', () => {
    const denied = calls('us', 'marketing', 1);
    const index = denied.of('get');
    const allowed = calls('us', 'contract', 1);
    expect(denied.check(index, allowed.answer(allowed.of('get')))).toMatch(/instead of being refused/);
    expect(allowed.check(allowed.of('get'), denied.answer(index))).toMatch(/what rules do not leave/);
    const renamed = { decisions: [{ effect: 'deny' as const, rule: 'no-notes', count: 1 }], exposureBytes: {} };
    expect(denied.check(index, { ...denied.answer(index), enforcement: renamed })).toMatch(/instead of being refused/);
    expect(denied.check(index, { ...denied.answer(index), enforcement: undefined })).toMatch(/without a decision/);
  });

  it('finds a write of which the service received too much or too little, and exposure that was not counted', () => {
    const { check, answer, of, generate } = calls('us', 'contract', 0);
    const index = of('create');
    const right = answer(index);
    const { id: _, ...original } = JSON.parse(generate(index).body as string) as ItemLike;
    for (const delivered of [deliveredDigests(original, digestKey), {}, undefined]) {
      const { delivered: __, ...enforcement } = right.enforcement;
      const wrong = { ...right, enforcement: { ...enforcement, ...(delivered && { delivered }) } };
      expect(check(index, wrong)).toMatch(/did not receive/);
    }
    expect(right.enforcement.exposureBytes.personal).toBeGreaterThan(0);
    const uncounted = { ...right, enforcement: { ...right.enforcement, exposureBytes: {} } };
    expect(check(index, uncounted)).toMatch(/exposed/);
  });
});

describe('the check of calls of items that rules deny by their contents', () => {
  const denying = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 't',
      services: [{ name: 'items', persistence: { store: 'sql-indexed', rows: 60 } }],
      enforcement: { architecture: 'sidecar' },
    },
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'r',
      rules: [
        {
          id: 'not-paid',
          effect: 'deny',
          when: { all: [{ fact: 'request', path: '$.payload.status', operator: 'equal', value: 'paid' }] },
        },
      ],
    },
  );
  const rules = itemOracle(denying, 'items', 0, 'pseudonyms');
  const sent = Array.from({ length: 400 }, (_, index) => index);
  const classes = [{ name: 'order', origin: 'eu', purpose: 'contract', ...common }];
  const workloadOf = (reads: number): StoreWorkload => ({ ...base, creates: 0, reads, dataset, classes, limit: 2 });
  /** A request of a kind for a seeded row with a status, and its check; nothing else was sent. */
  function callFor(reads: number, operation: string, isPaid: boolean) {
    const workload = workloadOf(reads);
    const generate = storeRequests(workload, 1, 1);
    const seeded = (index: number) => {
      const { path } = generate(index);
      return seededItem(dataset.seed, Number(path.slice(path.lastIndexOf('-') + 1)), dataset.rows);
    };
    const index = sent.find((one) => {
      const { operation: kind, path, body, facts } = generate(one);
      if (kind !== operation) return false;
      if (kind === 'query') return path.includes('status=paid') === isPaid;
      const isStored = body === undefined || rules.stored(facts, JSON.parse(body)) !== undefined;
      return isStored && (seeded(one).status === 'paid') === isPaid;
    }) as number;
    const check = itemCallCheck({
      ...{ oracle: rules, workload, seed: 1, repetition: 1, digestKey, warmUpRequests: 0, sent: [index] },
    });
    return {
      index,
      check: (answer: ItemAnswer) => check(index, answer),
      request: generate(index),
      seeded: seeded(index),
    };
  }
  const denial = (more: object = {}): ItemEnforcement => ({
    ...{ decisions: [{ effect: 'deny', count: 1, ...more }], exposureBytes: {} },
  });

  it('accepts the refusal of a read without the rule, and finds one that names the rule', () => {
    const { check } = callFor(1, 'get', true);
    expect(check({ status: 451, enforcement: denial(), body: {} })).toBeUndefined();
    expect(check({ status: 451, enforcement: denial({ rule: 'not-paid' }), body: {} })).toMatch(/do not leave/);
    expect(check({ status: 404, enforcement: { decisions: [], exposureBytes: {} }, body: {} })).toMatch(/do not leave/);
  });

  it('finds the replacement of an item that is denied to the writer', () => {
    const { check, request } = callFor(0, 'replace', true);
    const item = JSON.parse(request.body as string) as ItemLike;
    const exposureBytes = rules.exposureBytes(request.facts, item, true);
    expect(check({ status: 451, enforcement: { ...denial(), exposureBytes }, body: {} })).toBeUndefined();
    expect(check({ status: 451, enforcement: denial(), body: {} })).toMatch(/refusal to replace/);
    const written: ItemEnforcement = { decisions: [{ effect: 'allow', count: 1 }], exposureBytes: {} };
    expect(check({ status: 200, enforcement: written, body: item })).toMatch(/replaced o-\d+, which is denied/);
  });

  it('finds the refusal to replace an item that is not denied', () => {
    const { check } = callFor(0, 'replace', false);
    expect(check({ status: 451, enforcement: denial(), body: {} })).toMatch(/a write was decided/);
  });

  it('finds traces of denied items in lists', () => {
    const paid = callFor(1, 'query', true);
    const empty = { decisions: [], exposureBytes: {} };
    expect(paid.check({ status: 200, enforcement: empty, body: { items: [], next: null } })).toBeUndefined();
    const { check } = paid;
    expect(check({ status: 200, enforcement: denial(), body: { items: [], next: null } })).toMatch(/reports items/);
    expect(check({ status: 200, enforcement: empty, body: { items: [], next: 'more' } })).toMatch(
      /0 items, .* continues/,
    );
    expect(check({ status: 451, enforcement: denial(), body: {} })).toMatch(/without items/);
  });
});
