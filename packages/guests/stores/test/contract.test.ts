import {
  type Item,
  type ItemStatus,
  itemEngines,
  itemStatuses,
  type StoreConfiguration,
  type StoreOptions,
  TopoBenchError,
} from '@topo-bench/core';
import { seededItem } from '@topo-bench/workload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ItemQuery } from '../src/item-query.ts';
import { openStore } from '../src/open-store.ts';
import { prepareStore } from '../src/prepare-store.ts';
import type { Store } from '../src/store.ts';
import { engineRows } from './engine-rows.ts';
import { sharedServers, storeCases, type TestServers } from './fixtures/test-servers.ts';

const rows = 400;
const seed = 11;
const seeded = Array.from({ length: rows }, (_, number) => seededItem(seed, number, rows));

const newItem: Item = {
  id: 'new.item_1-A',
  customer: 'Zoë’s "shop" 100% \\ ünï',
  status: 'open',
  createdAt: '2026-02-28T23:59:59.007Z',
  currency: 'EUR',
  totalCents: 2_000_000_000,
  lines: [{ sku: "a'b", title: '日本語 🫖', quantity: 2, priceCents: 1 }],
  address: { name: '', street: '$1 ? :x', city: '\\', postcode: '', country: '' },
  note: '-- ; DROP TABLE items\n{"$gt": ""}',
};

/** Independent of every database: filter, sort by time and id, cut. */
function expected({ customer, status, from, sku, after, limit }: ItemQuery, items: readonly Item[] = seeded): Item[] {
  const key = (item: { createdAt: string; id: string }): string => `${item.createdAt} ${item.id}`;
  return items
    .filter((item) => customer === undefined || item.customer === customer)
    .filter((item) => status === undefined || item.status === status)
    .filter((item) => from === undefined || item.createdAt >= from)
    .filter((item) => sku === undefined || item.lines.some((line) => line.sku === sku))
    .filter((item) => after === undefined || key(item) > key(after))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .slice(0, limit);
}

function optionsFor(configuration: StoreConfiguration, url: string): StoreOptions {
  return { configuration, url, poolSize: 4, queueLimit: 1000, waitMs: 20_000, timeoutMs: 20_000 };
}

let servers: TestServers;

beforeAll(async () => {
  servers = await sharedServers(itemEngines);
});

describe.each(storeCases)('the store $configuration on $engine', ({ configuration, engine }) => {
  let store: Store;
  let url: string;

  const reset = async (): Promise<void> => {
    const dataset = { rows, seed };
    const prepared = await prepareStore({
      url: servers.get(engine).url,
      configuration,
      dataset,
      service: `contract-${engine}`,
    });
    expect(prepared).toMatchObject({ rows, method: expect.stringMatching(/\w/) });
    expect(prepared.resetMs).toBeGreaterThan(0);
    url = prepared.url;
  };

  beforeAll(async () => {
    if (servers.missing(engine)) return;
    await reset();
    store = await openStore(optionsFor(configuration, url));
  });

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    if (reason) skip(reason);
  });

  afterAll(() => store?.close());

  it('contains the seeded items unchanged', async () => {
    for (const number of [0, 1, 7, rows - 1]) expect(await store.get(seeded[number]!.id)).toEqual(seeded[number]);
  });

  it('answers each query like a filter in memory, in the same order', async () => {
    const one = seeded[5]!;
    const queries: ItemQuery[] = [
      { limit: 20 },
      { limit: 1000 },
      { customer: one.customer, limit: 50 },
      { status: 'delivered', limit: 100 },
      { customer: one.customer, status: one.status, limit: 50 },
      { from: one.createdAt, limit: 1000 },
      { status: 'paid', from: one.createdAt, limit: 30 },
      { sku: one.lines[0]!.sku, limit: 50 },
      { customer: one.customer, sku: one.lines[0]!.sku, from: one.createdAt, status: one.status, limit: 50 },
      { customer: 'nobody', limit: 5 },
    ];
    // Twelve times each: a server may change its plan once a statement has run a few times.
    for (let round = 0; round < 12; round++) {
      for (const query of queries) expect(await store.query(query)).toEqual(expected(query));
    }
  });

  it.each<Omit<ItemQuery, 'limit'>>([{}, { status: 'delivered' }, { customer: seeded[5]!.customer }])(
    'pages over %j without a gap or an overlap, also during writes',
    async (query) => {
      const pages: Item[] = [];
      let after: ItemQuery['after'];
      for (;;) {
        const page = await store.query({ ...query, limit: 7, ...(after ? { after } : {}) });
        pages.push(...page);
        if (page.length < 7) break;
        after = page.at(-1)!;
        // Behind the position: must not shift the pages that follow.
        await store.put({ ...newItem, id: `early-${pages.length}`, createdAt: '1999-01-01T00:00:00.000Z' });
      }
      for (let at = 7; at <= pages.length; at += 7) await store.delete(`early-${at}`);
      expect(pages).toEqual(expected({ ...query, limit: rows }));
    },
  );

  it('lists items of the same time by the bytes of their ids', async () => {
    const ids = ['same-b', 'same-B', 'same_', 'same.1', 'same-10', 'same-9'];
    const customer = 'same time';
    for (const id of ids) await store.create({ ...newItem, id, customer });
    const first = await store.query({ customer, limit: 3 });
    const rest = await store.query({ customer, limit: 9, after: first.at(-1)! });
    for (const id of ids) await store.delete(id);
    expect([...first, ...rest].map(({ id }) => id)).toEqual([...ids].sort());
  });

  it('creates an item once, and does not change it when its id exists', async () => {
    expect(await store.create(newItem)).toBe(true);
    expect(await store.create({ ...newItem, customer: 'another', totalCents: 1 })).toBe(false);
    expect(await store.get(newItem.id)).toEqual(newItem);
    expect(await store.query({ customer: newItem.customer, limit: 5 })).toEqual([newItem]);
    expect(await store.query({ customer: 'another', limit: 5 })).toEqual([]);
    expect(await store.delete(newItem.id)).toBe(true);
    expect(await store.delete(newItem.id)).toBe(false);
    expect(await store.get(newItem.id)).toBeUndefined();
  });

  it('replaces a whole item, and returns whether it existed', async () => {
    expect(await store.put(newItem)).toBe(true);
    // The same once more, then another.
    expect(await store.put(newItem)).toBe(false);
    const replaced: Item = {
      ...newItem,
      customer: 'moved',
      status: 'paid',
      createdAt: '2024-01-01T00:00:00.000Z',
      lines: [],
      note: '',
    };
    expect(await store.put(replaced)).toBe(false);
    expect(await store.get(newItem.id)).toEqual(replaced);
    expect(await store.query({ customer: newItem.customer, limit: 5 })).toEqual([]);
    expect(await store.query({ customer: 'moved', status: 'paid', limit: 5 })).toEqual([replaced]);
    await store.delete(newItem.id);
  });

  it('counts items and sums amounts by status', async () => {
    const stats = await store.stats();
    const byStatus = Object.fromEntries(
      itemStatuses.map((status) => {
        const items = seeded.filter((item) => item.status === status);
        return [status, { items: items.length, totalCents: items.reduce((sum, item) => sum + item.totalCents, 0) }];
      }),
    );
    expect(stats).toEqual({
      items: rows,
      totalCents: seeded.reduce((sum, { totalCents }) => sum + totalCents, 0),
      byStatus,
    });
  });

  it('keeps, replaces and deletes an item with an amount of 0, or the largest one', async () => {
    const before = await store.stats();
    for (const totalCents of [0, 2_000_000_000]) {
      const item = { ...newItem, totalCents, lines: [{ sku: 'z', title: '', quantity: 1, priceCents: totalCents }] };
      expect(await store.create(item)).toBe(true);
      expect((await store.stats()).totalCents).toBe(before.totalCents + totalCents);
      expect(await store.put({ ...item, status: 'paid' })).toBe(false);
      expect(await store.put(item)).toBe(false);
      expect(await store.query({ customer: item.customer, limit: 5 })).toEqual([item]);
      expect(await store.delete(item.id)).toBe(true);
      expect(await store.stats()).toEqual(before);
    }
  });

  it.each([
    "' OR '1'='1",
    "'; DROP TABLE items; --",
    '" OR 1=1 #',
    '\\',
    '{"$gt":""}',
    '$where: 1',
    '%',
    '*',
    'c-000001*',
    '"}) OR TRUE--',
    '] } ',
  ])('takes %j in every text of a query literally', async (text) => {
    expect(await store.query({ customer: text, limit: 10 })).toEqual([]);
    expect(await store.query({ sku: text, limit: 10 })).toEqual([]);
    expect(await store.query({ customer: text, sku: text, limit: 10 })).toEqual([]);
    expect(await store.query({ status: text as ItemStatus, limit: 10 })).toEqual([]);
    expect(await store.get(text)).toBeUndefined();
    expect(await store.delete(text)).toBe(false);
    const after = { createdAt: seeded[5]!.createdAt, id: text };
    expect(await store.query({ limit: 10, after })).toEqual(expected({ limit: 10, after }));
    expect((await store.stats()).items).toBe(rows);
    const item = { ...newItem, customer: text, note: text, lines: [{ ...newItem.lines[0]!, sku: text }] };
    await store.put(item);
    expect(await store.query({ customer: text, sku: text, limit: 10 })).toEqual([item]);
    await store.delete(item.id);
  });

  // Services reject such values; stores do not rely on that.
  it.each([{ $ne: '' }, { $gt: '' }, { $regex: '.*' }, { $in: ['open', 'paid', 'delivered'] }])(
    'takes %j in place of a text for a condition that no item meets',
    async (operator) => {
      const value = operator as unknown as ItemStatus;
      const nothing = <T>(answer: Promise<T>, none: T): Promise<T> => answer.catch(() => none);
      for (const field of ['customer', 'status', 'sku'] as const) {
        expect(await nothing(store.query({ [field]: value, limit: 10 }), [])).toEqual([]);
      }
      expect(await nothing(store.get(value), undefined)).toBeUndefined();
      expect(await nothing(store.delete(value), false)).toBe(false);
      expect((await store.stats()).items).toBe(rows);
    },
  );

  // Some databases parse a leading time and ignore the rest; services reject both.
  it.each(["2025-01-01'; DROP TABLE items; --", '{"$gt":""}', "' OR TRUE --"])(
    'ignores or rejects %j in place of a time',
    async (time) => {
      const after = { createdAt: time, id: 'x' };
      for (const query of [
        { from: time, limit: 10 },
        { after, limit: 10 },
      ]) {
        const answer = await store.query(query).catch(() => []);
        expect(seeded).toEqual(expect.arrayContaining(answer));
      }
      expect(await store.query({ limit: 1000 })).toEqual(expected({ limit: 1000 }));
    },
  );

  it('serves more concurrent operations than connections, each with its own answer', async () => {
    const some = Array.from({ length: 200 }, (_, i) => seeded[(i * 37) % rows]!);
    const answers = await Promise.all(some.map(({ id }) => store.get(id)));
    expect(answers).toEqual(some);
    expect(store.load).toEqual({ active: 0, waiting: 0 });
  });

  it('identifies the server, with its version and the settings for durability', async () => {
    const { name, version, settings } = await store.server();
    expect(name).toMatch(engineRows[engine].reportedName);
    expect(version).toMatch(/^\S/);
    expect(Object.keys(settings)).not.toEqual([]);
  });

  it('is reset to the same rows, whatever the writes', async () => {
    await store.put({ ...newItem, id: seeded[3]!.id });
    await store.delete(seeded[4]!.id);
    await store.create(newItem);
    await store.close();
    await reset();
    store = await openStore(optionsFor(configuration, url));
    expect(await store.query({ limit: 1000 })).toEqual(expected({ limit: 1000 }));
    expect((await store.stats()).items).toBe(rows);
  });

  it('rejects operations after its end at once', async () => {
    const ended = await openStore(optionsFor(configuration, url));
    await ended.get('x');
    await ended.close();
    await expect(ended.get('x')).rejects.toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
  });

  it('reports an unreachable server as unavailable store', async () => {
    const nowhere = url.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1');
    const down = await openStore({ ...optionsFor(configuration, nowhere), timeoutMs: 3000 });
    const error = await down.get('x').catch((refusal: unknown) => refusal);
    await down.close();
    expect(error).toBeInstanceOf(TopoBenchError);
    expect(error).toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
  });
});

describe('a connection string', () => {
  it.each([
    ['mongodb://user:secret@127.0.0.1/', 'sql-indexed'],
    ['postgresql://user:secret@127.0.0.1/', 'document'],
    ['secret', 'key-value'],
  ] as const)('%s is refused for %s without being shown', async (url, configuration) => {
    const error = await openStore(optionsFor(configuration, url)).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: 'TB_STORE_URL' });
    expect((error as Error).message).not.toContain('secret');
  });
});
