import { createHmac } from 'node:crypto';
import { headers as headerNames, type Item, itemEngines, readEnforcement } from '@topo-bench/core';
import { valueDigest } from '@topo-bench/core/delivered-digest';
import { openStore, type Store } from '@topo-bench/stores';
import { seededItem } from '@topo-bench/workload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StoreCase, sharedServers, type TestServers } from '../../../guests/stores/test/fixtures/test-servers.ts';
import { callRules, item, rules, topology } from './enforced-orders.ts';
import { type Answered, ask, dataset, facts, type ItemService, startItemService } from './item-service.ts';

const cases: StoreCase[] = [
  { configuration: 'sql-indexed', engine: 'postgresql' },
  { configuration: 'hybrid-indexed', engine: 'postgresql' },
  { configuration: 'document', engine: 'mongodb' },
  { configuration: 'sql-indexed', engine: 'mysql' },
  { configuration: 'key-value', engine: 'redis' },
];

let servers: TestServers;
beforeAll(async () => {
  servers = await sharedServers(itemEngines);
});
/** As the documentation defines it, not as the code computes it. */
function pseudonymOf(value: unknown, { config }: ItemService): string {
  return createHmac('sha256', config.secrets.pseudonymKey).update(JSON.stringify(value)).digest('hex');
}

function decisionsOf({ headers }: Answered): unknown {
  return readEnforcement(headers.get('x-topo-enforcement') ?? '')?.decisions;
}

describe.each(cases)('enforcement before items in $configuration on $engine', ({ configuration, engine }) => {
  let service: ItemService;
  /** Looks past the service. */
  let store: Store;

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    if (reason) skip(reason);
  });
  beforeAll(async () => {
    if (servers.missing(engine)) return;
    const serverUrl = servers.get(engine).url;
    const persistence = { region: 'us' };
    service = await startItemService({
      configuration,
      engine,
      framework: 'fastify',
      serverUrl,
      topology,
      rules,
      persistence,
    });
    store = await openStore({ ...service.config.persistence!.store, url: service.storeUrl, poolSize: 1 });
    await store.create({ ...seededItem(1, 1, 10), id: 'hidden', customer: 'secret' });
  });
  afterAll(async () => {
    await Promise.all([service?.close(), store?.close()]);
  });

  it('decides by the region of the store, not of the service, and keeps refused items out of the store', async () => {
    const refused = await service.ask('POST', '/items', item('o-1'), { 'x-topo-origin': 'eu' });
    expect(refused).toMatchObject({ status: 451, body: { error: 'refused', rule: 'eu-data-stays' } });
    expect(decisionsOf(refused)).toEqual([{ effect: 'deny', rule: 'eu-data-stays', count: 1 }]);
    expect(await store.get('o-1')).toBeUndefined();
    const kept = await service.ask('POST', '/items', item('o-2'), { 'x-topo-origin': 'us' });
    expect([kept.status, decisionsOf(kept)]).toEqual([201, [{ effect: 'allow', count: 1 }]]);
    expect(kept.headers.get('location')).toBe('/orders/items/o-2');
    expect(await store.get('o-2')).toMatchObject({ customer: 'ann' });
  });

  it('refuses every verb of a call whose facts a rule denies, and changes nothing', async () => {
    const eu = { 'x-topo-origin': 'eu' };
    const { id } = seededItem(dataset.seed, 7, dataset.rows);
    const before = await store.get(id);
    const answers = [
      await service.ask('GET', `/items/${id}`, undefined, eu),
      await service.ask('GET', '/items?limit=3', undefined, eu),
      await service.ask('GET', '/items/stats', undefined, eu),
      await service.ask('PUT', `/items/${id}`, item(id), eu),
      await service.ask('DELETE', `/items/${id}`, undefined, eu),
    ];
    expect(answers.map(({ status, body }) => [status, body.rule])).toEqual(answers.map(() => [451, 'eu-data-stays']));
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(before?.customer);
    expect(await store.get(id)).toEqual(before);
  });

  it('refuses a call without class, origin or purpose, and names the missing facts', async () => {
    for (const missing of Object.keys(facts)) {
      for (const [method, path] of [
        ['GET', '/items?limit=1'],
        ['GET', '/items/o-2'],
        ['GET', '/items/stats'],
        ['DELETE', '/items/o-2'],
        ['POST', '/items'],
        ['PUT', '/items/o-2'],
      ] as const) {
        const body = method === 'POST' || method === 'PUT' ? item('o-2') : undefined;
        const answer = await service.ask(method, path, body, { [missing]: '' });
        expect([method, path, answer.status, answer.body.error]).toEqual([method, path, 400, 'missing-facts']);
        expect(answer.body.problems).toEqual([`${missing}: is missing`]);
      }
    }
  });

  it('requires the token, at the enforcement point and at the service behind it', async () => {
    const { config, url, itemsUrl, clientHeaders } = service;
    const wrong = [{}, { [headerNames.token]: '' }, { [headerNames.token]: 'guess' }];
    for (const headers of wrong) {
      expect((await ask(itemsUrl, 'GET', '/items?limit=1', undefined, { ...facts, ...headers })).status).toBe(401);
    }
    // The token of clients is good for the enforcement point alone, and the service has no route that is open.
    for (const headers of [...wrong, clientHeaders]) {
      for (const [method, path] of [
        ['GET', '/items?limit=1'],
        ['GET', '/items/stats'],
        ['GET', '/items/hidden'],
        ['DELETE', '/items/hidden'],
        ['POST', '/items'],
        ['PUT', '/items/hidden'],
      ] as const) {
        const body = method === 'POST' || method === 'PUT' ? item('hidden') : undefined;
        expect([method, (await ask(url, method, path, body, { ...facts, ...headers })).status]).toEqual([method, 401]);
      }
    }
    expect(config.secrets.clientToken).not.toBe(config.secrets.token);
    expect((await store.get('hidden'))?.customer).toBe('secret');
  });

  it('refuses a replacement, and keeps the stored item', async () => {
    const before = seededItem(dataset.seed, 4, dataset.rows);
    const replaced = await service.ask('PUT', `/items/${before.id}`, { ...item(before.id, 'secret') });
    expect([replaced.status, replaced.body.rule]).toEqual([451, 'no-secret-customers']);
    expect(await store.get(before.id)).toEqual(before);
  });

  it('stores only the redacted form of an item, and forwards the digests of the payload that the service received', async () => {
    const answer = await service.ask('POST', '/items', item('o-3'), { 'x-topo-purpose': 'marketing' });
    expect([answer.status, answer.body.note]).toEqual([201, '']);
    const kept = (await store.get('o-3')) as Item;
    expect([kept.note, kept.customer]).toEqual(['', pseudonymOf('ann', service)]);
    const { delivered } = readEnforcement(answer.headers.get('x-topo-enforcement') ?? '') ?? {};
    const { digestKey } = service.config.secrets;
    const { id: _, ...payload } = kept;
    expect(delivered).toEqual(
      Object.fromEntries(Object.entries(payload).map(([field, value]) => [field, valueDigest(value, digestKey)])),
    );
    expect(delivered?.customer).not.toBe(valueDigest('ann', digestKey));
  });

  it('removes and pseudonymises withheld members of one item and of every item of a list', async () => {
    const { id, ...original } = seededItem(dataset.seed, 9, dataset.rows);
    const { note: _, ...withoutNote } = original;
    const { street: __, ...address } = original.address;
    const visible = { id, ...withoutNote, address, customer: pseudonymOf(original.customer, service) };
    const marketing = { 'x-topo-purpose': 'marketing' };
    const one = await service.ask('GET', `/items/${id}`, undefined, marketing);
    expect([one.status, one.body]).toEqual([200, visible]);
    expect(decisionsOf(one)).toEqual([{ effect: 'redact', rule: 'no-notes-for-marketing', count: 1 }]);
    const list = await service.ask('GET', `/items?from=${original.createdAt}&limit=5`, undefined, marketing);
    expect(list.body.items).toContainEqual(visible);
    expect(
      (list.body.items as Item[]).filter(({ customer, note }) => customer.startsWith('c-') || note !== undefined),
    ).toEqual([]);
    // Without the purpose that the rule is about, the same caller gets everything.
    expect((await service.ask('GET', `/items/${id}`)).body).toEqual({ id, ...original });
  });

  it('withholds a denied item from reads, lists and deletes', async () => {
    const read = await service.ask('GET', '/items/hidden');
    expect([read.status, read.body.error, read.body.rule]).toEqual([451, 'refused', undefined]);
    const { deny } = (await service.stats()).decisions;
    expect((await service.ask('DELETE', '/items/hidden')).status).toBe(451);
    expect((await store.get('hidden'))?.customer).toBe('secret');
    const ids: string[] = [];
    const effects = new Set<string>();
    for (let after = ''; after !== 'end'; ) {
      const page = await service.ask('GET', `/items?limit=50${after}`);
      ids.push(...(page.body.items as Item[]).map((one) => one.id));
      for (const { effect } of decisionsOf(page) as { effect: string }[]) effects.add(effect);
      after = page.body.next === null ? 'end' : `&after=${page.body.next}`;
    }
    const there = await store.query({ limit: 1000 });
    expect(ids).toEqual(there.map((one) => one.id).filter((id) => id !== 'hidden'));
    // Two: the deletion, and the item in the list, which only this counter contains.
    expect([...effects]).toEqual(['allow']);
    expect((await service.stats()).decisions.deny).toBe(deny + 2);
  });

  it('refuses statistics where rules decide item by item', async () => {
    expect((await service.ask('GET', '/items/stats')).status).toBe(451);
  });

  it('refuses a filter on a withheld field, and a foreign cursor', async () => {
    const marketing = { 'x-topo-purpose': 'marketing' };
    const refused = await service.ask('GET', '/items?customer=ann', undefined, marketing);
    expect(refused).toMatchObject({ status: 451, body: { rule: 'no-notes-for-marketing' } });
    expect((await service.ask('GET', '/items?status=open&limit=2', undefined, marketing)).status).toBe(200);
    const stores = Buffer.from('2025-01-01T00:00:00.000Z o-1').toString('base64url');
    expect((await service.ask('GET', `/items?after=${stores}`)).status).toBe(400);
    const { body } = await service.ask('GET', '/items?limit=1');
    expect(Buffer.from(body.next as string, 'base64url').toString('latin1')).not.toContain(
      (body.items as Item[])[0]?.id,
    );
  });

  it('counts every decision by effect', async () => {
    const { decisions: before } = await service.stats();
    await service.ask('GET', '/items?limit=4');
    await service.ask('GET', '/items/o-2', undefined, { 'x-topo-purpose': 'marketing' });
    await service.ask('GET', '/items/o-2', undefined, { 'x-topo-origin': 'eu' });
    const { decisions } = await service.stats();
    expect(decisions).toEqual({ ...before, allow: before.allow + 4, redact: before.redact + 1, deny: before.deny + 1 });
  });
});

describe.each(['central-entity', 'dynamic-router', 'none'] as const)('items under %s', (architecture) => {
  it('are reached through their enforcement point, and by its token', async () => {
    const serverUrl = servers.get('postgresql').url;
    const service = await startItemService({
      configuration: 'sql-indexed',
      engine: 'postgresql',
      framework: 'node',
      serverUrl,
      topology: { ...topology, enforcement: { architecture, engine: 'json-rules-engine' } },
      rules: callRules,
      persistence: { region: 'us' },
    });
    try {
      const enforced = architecture !== 'none';
      const expected = enforced ? 451 : 200;
      expect((await service.ask('GET', '/items?limit=1', undefined, { 'x-topo-origin': 'eu' })).status).toBe(expected);
      expect((await service.ask('GET', '/items?limit=1')).status).toBe(200);
      expect((await ask(service.url, 'GET', '/items?limit=1', undefined, facts)).status).toBe(401);
      const stats = (await service.ask('GET', '/items/stats')).body;
      expect([Object.keys(stats), stats.items]).toEqual([['items', 'totalCents', 'byStatus'], dataset.rows]);
    } finally {
      await service.close();
    }
  });
});
