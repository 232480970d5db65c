import { expect, it } from 'vitest';
import { describeItemServices } from './every-item-service.ts';
import { dataset } from './item-service.ts';
import { order } from './orders.ts';

/** For SQL in its dialects, for document queries, for scripts, patterns and formats. */
const hostileTexts = [
  "' OR '1'='1",
  "x'; DROP TABLE items; --",
  "') OR 1=1 --",
  '" OR ""="',
  '\\',
  '{"$gt":""}',
  '$where: 1',
  '"}]\'',
  '%_*?',
  '#{1+1}',
];

describeItemServices('hostile input to a service', (service) => {
  it('answers 400 with every problem of a body', async () => {
    const { status, body } = await service().ask('POST', '/items', {
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

  it('answers 400 with every problem of a query', async () => {
    const { status, body } = await service().ask(
      'GET',
      '/items?status=lost&limit=0&from=yesterday&after=x&customer=&sku=a&sku=b&color=red',
    );
    expect(status).toBe(400);
    const problems = (body.problems as string[]).map((problem) => problem.split(':')[0]);
    expect([...new Set(problems)].sort()).toEqual(['after', 'color', 'customer', 'from', 'limit', 'sku', 'status']);
  });

  it('answers 400 for an invalid path, body or media type', async () => {
    expect((await service().ask('GET', '/items/%27%20OR%201=1')).body).toMatchObject({ error: 'invalid' });
    expect((await service().ask('GET', '/items/%00')).status).toBe(400);
    expect((await service().ask('PUT', '/items/a%20b', order)).status).toBe(400);
    expect((await service().ask('PUT', '/items/other', order)).body).toMatchObject({
      problems: [expect.stringContaining('order-1')],
    });
    expect((await service().ask('POST', '/items', '{"half')).body).toMatchObject({ error: 'malformed' });
    expect((await service().ask('POST', '/items', '[]')).status).toBe(400);
    expect((await service().ask('POST', '/items', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await service().ask('PATCH', '/items/none', order)).status).toBe(404);
  });

  it.each(['customer', 'status', 'from', 'sku', 'limit', 'after'])(
    'takes what is hostile in the parameter %s as that text, or refuses it',
    async (parameter) => {
      for (const text of hostileTexts) {
        const { status, body } = await service().ask('GET', `/items?${parameter}=${encodeURIComponent(text)}`);
        const isText = parameter === 'customer' || parameter === 'sku';
        const expected = isText ? { items: [], next: null } : { error: 'invalid' };
        expect({ text, status, body }).toMatchObject({ text, status: isText ? 200 : 400, body: expected });
      }
      for (const suffix of ['[$ne]=x', '[$gt]=', '[]=x', '.$ne=x']) {
        expect((await service().ask('GET', `/items?${parameter}${suffix}`)).status).toBe(400);
      }
      expect((await service().ask('GET', '/items/stats')).body.items).toBe(dataset.rows);
    },
  );

  it('refuses hostile paths', async () => {
    for (const text of hostileTexts) {
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const { status } = await service().ask(
          method,
          `/items/${encodeURIComponent(text)}`,
          method === 'PUT' ? order : undefined,
        );
        expect({ text, method, status }).toEqual({ text, method, status: 400 });
      }
    }
    expect((await service().ask('GET', '/items/stats')).body.items).toBe(dataset.rows);
  });

  it.each([
    '/items?limit=1e9',
    `/items?after=${Buffer.from("2025-01-01T00:00:00.000Z ' OR 1=1").toString('base64url')}`,
    `/items?after=${Buffer.from("2025-01-01T00:00:00.000Z') OR TRUE-- x").toString('base64url')}`,
    '/items?__proto__=x',
    '/items?$where=1',
    '/items/stats?x=1',
  ])('refuses %s', async (path) => {
    expect((await service().ask('GET', path)).status).toBe(400);
  });

  it.each(hostileTexts)('keeps %j in every text of a body as that text, and touches nothing else', async (text) => {
    const hostile = {
      ...order,
      id: 'hostile',
      customer: text,
      lines: [{ sku: text, title: text, quantity: 1, priceCents: 1 }],
      address: { name: text, street: text, city: text, postcode: text.slice(0, 32), country: '' },
      note: text,
    };
    expect((await service().ask('POST', '/items', hostile)).status).toBe(201);
    expect((await service().ask('GET', '/items/hostile')).body).toEqual(hostile);
    expect((await service().ask('GET', `/items?customer=${encodeURIComponent(text)}`)).body.items).toEqual([hostile]);
    expect(await service().ask('PUT', '/items/hostile', hostile)).toMatchObject({ status: 200, body: hostile });
    expect((await service().ask('GET', '/items/stats')).body.items).toBe(dataset.rows + 1);
    expect((await service().ask('DELETE', '/items/hostile')).status).toBe(204);
  });

  it.each(['id', 'status', 'createdAt', 'currency', 'address.country'])(
    'refuses what is hostile in the field %s of a body, which is no free text',
    async (field) => {
      for (const text of hostileTexts) {
        const { status, body } = await service().ask('POST', '/items', withField(field, text));
        expect({ text, status }).toEqual({ text, status: 400 });
        expect(JSON.stringify(body.problems)).toContain(field);
      }
    },
  );

  it('refuses an operator in place of every value of a body', async () => {
    const ofLines = ['sku', 'title', 'quantity', 'priceCents'].map((name) => `lines.0.${name}`);
    const ofAddress = ['name', 'street', 'city', 'postcode', 'country'].map((name) => `address.${name}`);
    for (const field of [...Object.keys(order), 'lines.0', ...ofLines, ...ofAddress]) {
      for (const [method, path] of [
        ['PUT', '/items/order-1'],
        ['POST', '/items'],
      ] as const) {
        const { status, body } = await service().ask(method, path, withField(field, { $gt: '' }));
        expect({ field, method, status }).toEqual({ field, method, status: 400 });
        expect(JSON.stringify(body.problems)).toContain(field.replace('.0', '[0]'));
      }
    }
    expect((await service().ask('GET', '/items/stats')).body.items).toBe(dataset.rows);
  });
});

/** The order with another value in one place. @param path e.g. `lines.0.sku` */
function withField(path: string, value: unknown): unknown {
  const copy: Record<string, unknown> = structuredClone(order);
  const steps = path.split('.');
  const last = steps.pop() as string;
  const parent = steps.reduce((at, step) => at[step] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}
