import { createServer, type Server, type Socket } from 'node:net';
import { type Item, itemStatuses } from '@topo-bench/stores/item';
import { seededItem } from '@topo-bench/stores/seeded-items';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServers, storeCases, type TestServers } from '../../../stores/test/test-servers.ts';
import { startRole } from '../../src/start-role.ts';
import { ask, dataset, type ItemService, itemServiceConfig, startItemService } from './item-service.ts';

const seeded = Array.from({ length: dataset.rows }, (_, number) => seededItem(dataset.seed, number, dataset.rows));
const order = {
  id: 'order-1',
  customer: 'Zoë & sons',
  status: 'open',
  createdAt: '2026-03-01T12:00:00.000Z',
  currency: 'EUR',
  totalCents: 4200,
  lines: [{ sku: 'a-1', title: 'tea', quantity: 2, priceCents: 2100 }],
  address: { name: 'Zoë', street: 'Kai 1', city: 'Köln', postcode: '50667', country: 'DE' },
  note: 'first line\nsecond line',
};

const combinations = storeCases.flatMap((store) =>
  (['fastify', 'express'] as const).map((framework) => ({ ...store, framework })),
);

let servers: TestServers;

beforeAll(async () => {
  servers = await startServers(['postgresql', 'mongodb', 'mysql', 'redis']);
});

afterAll(() => servers?.stop());

describe.each(combinations)('a service on $framework over $configuration on $engine', ({ configuration, engine, framework }) => {
  let service: ItemService;

  beforeAll(async () => {
    if (servers.missing(engine)) return;
    service = await startItemService({ configuration, engine, framework, serverUrl: servers.get(engine).url });
  });

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    if (reason) skip(reason);
  });

  afterAll(() => service?.close());

  it('creates, reads, replaces and deletes an item', async () => {
    const created = await service.ask('POST', '/items', order);
    expect(created).toMatchObject({ status: 201, body: order });
    expect(created.headers.get('location')).toBe('/items/order-1');
    expect(await service.ask('GET', '/items/order-1')).toMatchObject({ status: 200, body: order });
    const { id: _, ...replacement } = { ...order, status: 'paid', note: '' };
    expect(await service.ask('PUT', '/items/order-1', replacement)).toMatchObject({
      status: 200,
      body: { id: 'order-1', status: 'paid' },
    });
    expect((await service.ask('GET', '/items/order-1')).body).toEqual({ ...order, status: 'paid', note: '' });
    const deleted = await service.ask('DELETE', '/items/order-1');
    expect(deleted).toMatchObject({ status: 204, body: {} });
    expect((await service.ask('PUT', '/items/order-1', replacement)).status).toBe(201);
    expect((await service.ask('DELETE', '/items/order-1')).status).toBe(204);
  });

  it('fills in what a new item leaves out', async () => {
    const { status, body } = await service.ask('POST', '/items', { customer: 'c', status: 'open', totalCents: 1 });
    expect(status).toBe(201);
    const address = { name: '', street: '', city: '', postcode: '', country: '' };
    expect(body).toMatchObject({ currency: 'EUR', lines: [], address, note: '' });
    expect((await service.ask('GET', `/items/${body.id}`)).body).toEqual(body);
    await service.ask('DELETE', `/items/${body.id}`);
  });

  it('says 404 for an item that is not there', async () => {
    const answer = { status: 404, body: { error: 'not-found', message: 'there is no item none' } };
    expect(await service.ask('GET', '/items/none')).toMatchObject(answer);
    expect(await service.ask('DELETE', '/items/none')).toMatchObject(answer);
  });

  it('says 409 for an id that is taken, and changes nothing', async () => {
    const taken = seeded[3] as Item;
    const { status, body } = await service.ask('POST', '/items', { ...order, id: taken.id });
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: 'conflict', message: `there is an item ${taken.id} already` },
    });
    expect((await service.ask('GET', `/items/${taken.id}`)).body).toEqual(taken);
  });

  it('says 400 with every problem of a body', async () => {
    const { status, body } = await service.ask('POST', '/items', {
      id: '../x',
      status: 'lost',
      totalCents: 1.5,
      createdAt: '2026-02-30T00:00:00.000Z',
      lines: [
        { sku: 'a', quantity: 0, priceCents: 1 },
        { quantity: 1, priceCents: -1 },
      ],
      address: { country: 'Germany' },
      note: 'a\u0000b',
      colour: 'red',
    });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid');
    const problems = (body.problems as string[]).map((problem) => problem.split(':')[0]).sort();
    const places = [
      'address.country',
      'colour',
      'createdAt',
      'customer',
      'id',
      'lines[0].quantity',
      'lines[1].priceCents',
      'lines[1].sku',
    ];
    expect(problems).toEqual([...places, 'note', 'status', 'totalCents']);
  });

  it('says 400 with every problem of a query', async () => {
    const { status, body } = await service.ask(
      'GET',
      '/items?status=lost&limit=0&from=yesterday&after=x&customer=&sku=a&sku=b&color=red',
    );
    expect(status).toBe(400);
    const problems = (body.problems as string[]).map((problem) => problem.split(':')[0]);
    expect([...new Set(problems)].sort()).toEqual(['after', 'color', 'customer', 'from', 'limit', 'sku', 'status']);
  });

  it('says 400 for a path, a body or a media type that cannot be meant', async () => {
    expect((await service.ask('GET', '/items/%27%20OR%201=1')).body).toMatchObject({ error: 'invalid' });
    expect((await service.ask('GET', '/items/%00')).status).toBe(400);
    expect((await service.ask('PUT', '/items/a%20b', order)).status).toBe(400);
    expect((await service.ask('PUT', '/items/other', order)).body).toMatchObject({
      problems: [expect.stringContaining('order-1')],
    });
    expect((await service.ask('POST', '/items', '{"half')).body).toMatchObject({ error: 'malformed' });
    expect((await service.ask('POST', '/items', '[]')).status).toBe(400);
    expect((await service.ask('POST', '/items', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await service.ask('PATCH', '/items/none', order)).status).toBe(404);
  });

  it('pages over all items once, in the order of their times', async () => {
    const pages: Item[] = [];
    let after = '';
    do {
      const { body } = await service.ask('GET', `/items?limit=16${after}`);
      pages.push(...(body.items as Item[]));
      after = body.next === null ? '' : `&after=${body.next}`;
    } while (after !== '');
    const key = ({ createdAt, id }: Item): string => `${createdAt} ${id}`;
    expect(pages).toEqual([...seeded].sort((a, b) => (key(a) < key(b) ? -1 : 1)));
  });

  it('finds items by customer, status, time and article together', async () => {
    const one = seeded[8] as Item;
    const fields = new URLSearchParams({
      customer: one.customer,
      status: one.status,
      from: one.createdAt,
      sku: one.lines[0]!.sku,
    });
    const { body } = await service.ask('GET', `/items?${fields}`);
    expect((body.items as Item[])[0]).toEqual(one);
    const day = one.createdAt.slice(0, 10);
    const since = (await service.ask('GET', `/items?from=${day}&limit=1000`)).body.items as Item[];
    expect(since).toHaveLength(seeded.filter(({ createdAt }) => createdAt >= day).length);
  });

  it.each([
    ["' OR '1'='1", 'customer'],
    ["x'; DROP TABLE items; --", 'customer'],
    ['{"$gt":""}', 'customer'],
    ['*', 'customer'],
    ["') OR 1=1 --", 'sku'],
    ['"}]\'', 'sku'],
  ])('takes %j as the text of the parameter %s', async (text, parameter) => {
    const { status, body } = await service.ask('GET', `/items?${parameter}=${encodeURIComponent(text)}`);
    expect({ status, body }).toEqual({ status: 200, body: { items: [], next: null } });
  });

  it.each([
    '/items?customer[$ne]=x',
    '/items?customer[]=x',
    "/items?status=open'--",
    '/items?limit=1;DROP TABLE items',
    '/items?limit=1e9',
    "/items?from=2025-01-01'--",
    `/items?after=${Buffer.from("2025-01-01T00:00:00.000Z ' OR 1=1").toString('base64url')}`,
    '/items?__proto__=x',
    '/items/stats?x=1',
  ])('refuses %s', async (path) => {
    expect((await service.ask('GET', path.replaceAll(' ', '%20'))).status).toBe(400);
  });

  it.each(["'; DROP TABLE items; --", '{"$gt":""}', '$where: 1', '\\', '" OR ""="', '%_*?', '#{1+1}'])(
    'keeps %j in every text of a body as that text, and touches nothing else',
    async (text) => {
      const hostile = {
        ...order,
        id: 'hostile',
        customer: text,
        lines: [{ sku: text, title: text, quantity: 1, priceCents: 1 }],
        address: { name: text, street: text, city: text, postcode: text.slice(0, 32), country: '' },
        note: text,
      };
      expect((await service.ask('POST', '/items', hostile)).status).toBe(201);
      expect((await service.ask('GET', '/items/hostile')).body).toEqual(hostile);
      expect(await service.ask('PUT', '/items/hostile', hostile)).toMatchObject({ status: 200, body: hostile });
      expect((await service.ask('GET', '/items/stats')).body.items).toBe(dataset.rows + 1);
      expect((await service.ask('DELETE', '/items/hostile')).status).toBe(204);
    },
  );

  it('refuses operators in place of the values of a body', async () => {
    for (const field of ['id', 'customer', 'status', 'createdAt', 'note', 'address', 'lines', 'totalCents']) {
      const { status, body } = await service.ask('PUT', '/items/order-1', { ...order, [field]: { $gt: '' } });
      expect({ field, status }).toEqual({ field, status: 400 });
      expect(JSON.stringify(body.problems)).toContain(field);
    }
  });

  it('counts by status', async () => {
    const { body } = await service.ask('GET', '/items/stats');
    const counts = itemStatuses.map((status) => seeded.filter((item) => item.status === status).length);
    expect(body.items).toBe(dataset.rows);
    expect(itemStatuses.map((status) => (body.byStatus as Record<string, { items: number }>)[status]?.items)).toEqual(counts);
  });

  if (engine === 'postgresql') {
    it('serves a thousand requests that come at once over its few connections', async () => {
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, i) => service.ask('GET', `/items/${seeded[i % dataset.rows]!.id}`)),
      );
      expect(answers.filter(({ status, body }, i) => status === 200 && body.id === seeded[i % dataset.rows]!.id)).toHaveLength(
        1000,
      );
    });
  }
});

// Side by side: most of their time passes in waiting.
describe.concurrent.each(storeCases)('when $configuration on $engine does not answer', ({ configuration, engine }) => {
  let proxy: Proxy;
  let url: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    if (servers.missing(engine)) return;
    const persistence = { pool: 3, wait: '1500ms', timeout: '1500ms' };
    const config = await itemServiceConfig({
      configuration,
      engine,
      framework: 'node',
      serverUrl: servers.get(engine).url,
      persistence,
    });
    const store = config.persistence!.store;
    proxy = await startProxy(Number(/127\.0\.0\.1:(\d+)/.exec(store.url)?.[1]));
    store.url = store.url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
    // Its client would go on to the address that the server names.
    if (engine === 'mongodb') store.url += '?directConnection=true';
    const role = await startRole(config, () => {});
    url = role.url;
    close = () => role.close(1000);
  });

  beforeEach(({ skip }) => {
    const reason = servers.missing(engine);
    if (reason) skip(reason);
  });

  afterAll(async () => {
    await close?.();
    await proxy?.stop();
  });

  it('answers 503 while it is silent or gone, and is itself again once it is back', async ({ expect }) => {
    const id = seeded[0]!.id;
    const every = async (): Promise<number[]> => {
      const requests: [string, string, unknown?][] = [
        ['GET', `/items/${id}`],
        ['GET', '/items?limit=3'],
        ['GET', '/items/stats'],
        ['PUT', `/items/${id}`, { ...seeded[0], note: 'again' }],
        ['POST', '/items', { ...order, id: `new-${Math.random()}`.replace('.', '') }],
        ['DELETE', '/items/none'],
      ];
      return (await Promise.all(requests.map(([method, path, body]) => ask(url, method, path, body)))).map(
        ({ status }) => status,
      );
    };
    // A busy machine may need longer than the service waits, the first time.
    await expect.poll(every, { timeout: 15_000 }).toEqual([200, 200, 200, 200, 201, 404]);
    proxy.silence();
    expect(await every()).toEqual([503, 503, 503, 503, 503, 503]);
    proxy.cut();
    expect(await every()).toEqual([503, 503, 503, 503, 503, 503]);
    const { body, headers } = await ask(url, 'GET', `/items/${id}`);
    expect(body).toEqual({ error: 'store-unavailable', message: 'the store does not answer' });
    expect(headers.get('retry-after')).toBe('1');
    expect((await ask(url, 'GET', '/health')).status).toBe(200);
    proxy.restore();
    await expect.poll(async () => (await ask(url, 'GET', `/items/${id}`)).status, { timeout: 15_000 }).toBe(200);
    await expect.poll(every, { timeout: 15_000 }).toEqual([200, 200, 200, 200, 201, 404]);
  });
});

interface Proxy {
  port: number;
  /** Takes what comes and passes on nothing. */
  silence(): void;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** Stands between a service and its store, and can do what networks and dying servers do. */
async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  const server: Server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = new (client.constructor as typeof Socket)();
    upstream.connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (data) => void (state === 'open' && upstream.write(data)));
    upstream.on('data', (data) => void (state === 'open' && client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    silence: () => {
      state = 'silent';
    },
    cut: () => {
      state = 'cut';
      endAll();
    },
    restore: () => {
      state = 'open';
    },
    stop: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
