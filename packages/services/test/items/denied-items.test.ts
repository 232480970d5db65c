/** What an enforcement point answers about an item that a rule denies to some purposes by its contents. */
import { headersOfFacts, type Item } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { type RuleParts, testGraph } from '../fixtures/deployment.ts';
import { MemoryStore } from './memory-store.ts';
import { guardedBy, type RoutedAnswer, serviceOf } from './routed-items.ts';

const address = { name: '', street: '', city: '', postcode: '', country: '' };
const item = (id: string, customer: string, more: Partial<Item> = {}): Item => ({
  ...{ id, customer, status: 'open', createdAt: `2026-03-01T00:00:00.${id.padStart(3, '0')}Z` },
  ...{ currency: 'EUR', totalCents: 5, lines: [], address, note: '' },
  ...more,
});
const lines = [{ sku: 's1', title: '', quantity: 1, priceCents: 1 }];
const secret = item('2', 'vip', { status: 'paid', lines });
const stored = [item('1', 'ann'), secret, item('3', 'ann'), item('4', 'vip'), item('5', 'ann'), item('6', 'ann')];

const vip = { fact: 'request', path: '$.payload.customer', operator: 'equal', value: 'vip' };
const audit = { fact: 'request', path: '$.purpose', operator: 'equal', value: 'audit' };
const denyVip: RuleParts = { rules: [{ id: 'vip-items', effect: 'deny', when: { all: [vip, { not: audit }] } }] };

async function pointOver(content: readonly Item[], rules = denyVip) {
  const store = new MemoryStore();
  store.fill(content);
  const service = serviceOf(store);
  const failing = new Set<string>();
  const graph = testGraph(
    {
      services: [{ name: 'orders', persistence: { store: 'sql-indexed', rows: 1 } }],
      enforcement: { architecture: 'sidecar' },
    },
    rules,
  );
  const { ask, counters } = await guardedBy(graph, async (method, path, body) =>
    failing.has(method) ? { status: 503, text: '{}', headers: {} } : service.ask(method, path, body),
  );
  const as = (purpose: string) => (method: string, path: string, body?: object) =>
    ask(method, path, body, headersOfFacts({ class: 'order', origin: 'eu', purpose, consents: [] }));
  return { store, calls: service.calls, counters, failing, marketing: as('marketing'), audit: as('audit') };
}

const idsIn = ({ text }: RoutedAnswer): string[] => (JSON.parse(text).items as Item[]).map(({ id }) => id);

describe('an item that is denied by its contents', () => {
  it('is matched by no filter, to the caller: neither contents nor counts nor the end of the list change', async () => {
    const { marketing, audit: auditor } = await pointOver(stored);
    for (const query of ['status=paid', 'status=open', 'sku=s1', 'sku=s2', 'from=2026-03-01T00:00:00.002Z']) {
      const answer = await marketing('GET', `/items?customer=vip&${query}`);
      expect([query, answer]).toEqual([
        query,
        {
          status: 200,
          text: '{"items":[],"next":null}',
          headers: { 'x-topo-enforcement': '{"decisions":[],"exposureBytes":{}}' },
        },
      ]);
    }
    expect(idsIn(await auditor('GET', '/items?customer=vip&status=paid'))).toEqual(['2']);
  });

  it('makes no page shorter, and its denial is counted by the role alone', async () => {
    const { marketing, counters, calls } = await pointOver(stored);
    const first = await marketing('GET', '/items?limit=3');
    expect(idsIn(first)).toEqual(['1', '3', '5']);
    expect(JSON.parse(first.headers['x-topo-enforcement'] ?? '').decisions).toEqual([{ effect: 'allow', count: 3 }]);
    expect(counters.decisions).toMatchObject({ allow: 3, deny: 2 });
    expect(calls).toHaveLength(1);
    const { next } = JSON.parse(first.text);
    const second = await marketing('GET', `/items?limit=3&after=${next}`);
    expect([idsIn(second), JSON.parse(second.text).next]).toEqual([['6'], null]);
  });

  it('costs no further read where a page is full of permitted items', async () => {
    const { audit: auditor, calls } = await pointOver(stored);
    expect(idsIn(await auditor('GET', '/items?limit=3'))).toEqual(['1', '2', '3']);
    expect(calls).toHaveLength(1);
  });

  it('has the answer of a missing item in reads and deletions, without the rule', async () => {
    const { marketing, audit: auditor, store } = await pointOver(stored);
    for (const verb of ['GET', 'DELETE']) {
      const denied = await marketing(verb, '/items/2');
      const missing = await marketing(verb, '/items/9');
      expect(denied.status).toBe(451);
      expect(denied.text).not.toContain('vip');
      expect({ ...denied, text: denied.text.replace('item 2', 'item 9') }).toEqual(missing);
      expect((await auditor(verb, '/items/9')).status).toBe(404);
    }
    expect(await store.get('2')).toEqual(secret);
  });

  it('is not replaced, and its id is taken', async () => {
    const { marketing, audit: auditor, store, counters } = await pointOver(stored);
    const harmless = item('2', 'ann');
    const replaced = await marketing('PUT', '/items/2', harmless);
    expect([replaced.status, JSON.parse(replaced.text).rule]).toEqual([451, undefined]);
    expect(counters.decisions).toMatchObject({ allow: 0, deny: 1 });
    expect((await marketing('POST', '/items', harmless)).status).toBe(409);
    expect(await store.get('2')).toEqual(secret);
    expect((await auditor('PUT', '/items/2', harmless)).status).toBe(200);
    expect(await store.get('2')).toEqual(harmless);
  });

  it('does not change the refusal of a new item', async () => {
    const { marketing } = await pointOver(stored);
    const [over, free] = [
      await marketing('PUT', '/items/2', item('2', 'vip')),
      await marketing('PUT', '/items/9', item('9', 'vip')),
    ];
    expect([over.status, JSON.parse(over.text).rule]).toEqual([451, 'vip-items']);
    expect(over).toEqual(free);
  });

  it('is not replaced either while the store cannot be read', async () => {
    const { marketing, store, failing } = await pointOver(stored);
    failing.add('GET');
    expect((await marketing('PUT', '/items/2', item('2', 'ann'))).status).toBe(503);
    expect(await store.get('2')).toEqual(secret);
  });

  it('is read before a replacement only for calls in which a rule may deny an item', async () => {
    const { marketing, audit: auditor, calls } = await pointOver(stored);
    await auditor('PUT', '/items/1', item('1', 'ann'));
    expect(calls).toEqual(['PUT /items/1']);
    await marketing('PUT', '/items/1', item('1', 'ann'));
    expect(calls.slice(1)).toEqual(['GET /items/1', 'PUT /items/1']);
    await marketing('POST', '/items', item('7', 'ann'));
    expect(calls.slice(3)).toEqual(['POST /items']);
  });
});

describe('statistics and filters', () => {
  it('are refused only in calls whose facts do not exclude the rules about items', async () => {
    const redact = { remove: [], pseudonymise: ['/customer'] };
    const hideVip: RuleParts = {
      rules: [{ id: 'hide', effect: 'redact', redact, when: { all: [vip, { not: audit }] } }],
    };
    for (const rules of [denyVip, hideVip]) {
      const { marketing, audit: auditor } = await pointOver(stored, rules);
      const verdicts = await Promise.all([marketing, auditor].map((as) => as('GET', '/items/stats')));
      expect(verdicts.map(({ status }) => status)).toEqual([451, 200]);
    }
    const { marketing, audit: auditor } = await pointOver(stored, hideVip);
    const filtered = await Promise.all([marketing, auditor].map((as) => as('GET', '/items?customer=vip')));
    expect(filtered.map(({ status }) => status)).toEqual([451, 200]);
  });
});

describe('rules about the id of an item', () => {
  const second = { fact: 'request', path: '$.payload.id', operator: 'equal', value: '2' };

  it('are met by the id, also of a new item', async () => {
    const { marketing } = await pointOver(stored, { rules: [{ id: 'second', effect: 'deny', when: second }] });
    expect(idsIn(await marketing('GET', '/items'))).toEqual(['1', '3', '4', '5', '6']);
    expect((await marketing('GET', '/items/2')).status).toBe(451);
    const written = await marketing('PUT', '/items/2', item('2', 'ann'));
    expect([written.status, JSON.parse(written.text).rule]).toEqual([451, 'second']);
  });

  it('refuse the item where they withhold the id, in reads and in writes', async () => {
    for (const redact of [{ remove: ['/id'] }, { pseudonymise: ['/id'] }]) {
      const { marketing, audit: auditor } = await pointOver(stored, {
        rules: [{ id: 'no-ids', effect: 'redact', redact, when: { all: [vip, { not: audit }] } }],
      });
      expect(idsIn(await marketing('GET', '/items'))).toEqual(['1', '3', '5', '6']);
      expect((await marketing('GET', '/items/2')).status).toBe(451);
      expect((await marketing('PUT', '/items/9', item('9', 'vip'))).status).toBe(451);
      expect(idsIn(await auditor('GET', '/items'))).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  });
});

describe('a time of creation that is withheld', () => {
  it('refuses lists, whose order would disclose it, in calls in which a rule may withhold it', async () => {
    for (const redact of [{ remove: ['/createdAt'] }, { pseudonymise: ['/createdAt'] }]) {
      const { marketing, audit: auditor } = await pointOver(stored, {
        rules: [{ id: 'no-times', effect: 'redact', redact, when: { all: [vip, { not: audit }] } }],
      });
      const refused = await marketing('GET', '/items?limit=2');
      expect([refused.status, JSON.parse(refused.text)]).toEqual([
        451,
        {
          error: 'refused',
          rule: 'no-times',
          message: expect.stringContaining('a list, which is in the order of the withheld field createdAt'),
        },
      ]);
      expect(JSON.parse((await marketing('GET', '/items/4')).text).createdAt).not.toBe(stored[3]?.createdAt);
      expect(idsIn(await auditor('GET', '/items?limit=2'))).toEqual(['1', '2']);
    }
  });
});

describe('pseudonyms', () => {
  it('of values that a caller sends are stored, and not in the answer', async () => {
    const redact = { remove: ['/note'], pseudonymise: ['/customer', '/address/city', '/lines/0/title'] };
    const { marketing, store } = await pointOver(stored, {
      rules: [{ id: 'mask', effect: 'redact', redact, when: { not: audit } }],
    });
    const guess = item('9', 'ann', { note: 'n', lines, address: { ...address, city: 'Köln' } });
    for (const [method, path, status] of [
      ['POST', '/items', 201],
      ['PUT', '/items/9', 200],
    ] as const) {
      const answer = await marketing(method, path, guess);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        status,
        { ...guess, customer: '', note: '', lines, address },
      ]);
      const kept = await store.get('9');
      expect([kept?.customer, kept?.address.city]).toEqual([1, 1].map(() => expect.stringMatching(/^[0-9a-f]{64}$/)));
      expect(kept?.customer).not.toBe(kept?.address.city);
    }
  });
});

describe('a write from which a rule takes something', () => {
  const whole = item('9', 'ann', {
    lines: [...lines, { ...lines[0], sku: 's2' }] as Item['lines'],
    address: { name: 'A', street: 'S', city: 'C', postcode: '1', country: 'DE' },
  });
  const written = async (redact: { remove?: string[]; pseudonymise?: string[] }) => {
    const { marketing, store } = await pointOver(stored, {
      rules: [{ id: 'take', effect: 'redact', redact, when: { not: audit } }],
    });
    const { status, text } = await marketing('POST', '/items', whole);
    return { status, answer: JSON.parse(text), kept: await store.get('9') };
  };

  it('is refused with the field where no item is stored without it', async () => {
    for (const [pointer, field] of [
      ...['/customer', '/currency', '/status', '/createdAt'].map((name) => [name, name.slice(1)] as const),
      ['/lines/0/sku', 'lines'],
      ['/lines/1/quantity', 'lines'],
    ] as const) {
      const { status, answer, kept } = await written({ remove: [pointer] });
      const message = `the rule take refuses to keep this item without its ${field}`;
      expect([status, answer, kept]).toEqual([451, { error: 'refused', rule: 'take', message }, undefined]);
    }
    expect((await written({ pseudonymise: ['/currency'] })).status).toBe(451);
  });

  it('is stored with an empty value where the pseudonym has no place, for every other member', async () => {
    const pointers = [
      '/totalCents',
      '/lines',
      '/lines/0',
      '/lines/0/title',
      '/lines/0/priceCents',
      '/address',
      '/note',
    ];
    pointers.push(...Object.keys(whole.address).map((name) => `/address/${name}`));
    for (const pointer of pointers)
      expect([pointer, (await written({ remove: [pointer] })).status]).toEqual([pointer, 201]);
    for (const pointer of [...pointers.filter((one) => one !== '/lines/0'), '/customer', '/lines/0/sku'])
      expect([pointer, (await written({ pseudonymise: [pointer] })).status]).toEqual([pointer, 201]);
    const { kept } = await written({ pseudonymise: ['/address/postcode', '/address/country', '/address/city'] });
    expect(kept?.address).toMatchObject({ postcode: '', country: '', city: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
