import { type Item, itemStatuses } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { describeItemServices } from './every-item-service.ts';
import { dataset } from './item-service.ts';
import { order, seeded } from './orders.ts';

describeItemServices('a service', (service, { engine }) => {
  it('creates, reads, replaces and deletes an item', async () => {
    const created = await service().ask('POST', '/items', order);
    expect(created).toMatchObject({ status: 201, body: order });
    expect(created.headers.get('location')).toBe('/items/order-1');
    expect(await service().ask('GET', '/items/order-1')).toMatchObject({ status: 200, body: order });
    const { id: _, ...replacement } = { ...order, status: 'paid', note: '' };
    expect(await service().ask('PUT', '/items/order-1', replacement)).toMatchObject({
      status: 200,
      body: { id: 'order-1', status: 'paid' },
    });
    expect((await service().ask('GET', '/items/order-1')).body).toEqual({ ...order, status: 'paid', note: '' });
    const deleted = await service().ask('DELETE', '/items/order-1');
    expect(deleted).toMatchObject({ status: 204, body: {} });
    expect((await service().ask('PUT', '/items/order-1', replacement)).status).toBe(201);
    expect((await service().ask('DELETE', '/items/order-1')).status).toBe(204);
  });

  it('fills in the defaults of a new item', async () => {
    const { status, body } = await service().ask('POST', '/items', { customer: 'c', status: 'open', totalCents: 1 });
    expect(status).toBe(201);
    const address = { name: '', street: '', city: '', postcode: '', country: '' };
    expect(body).toMatchObject({ currency: 'EUR', lines: [], address, note: '' });
    expect((await service().ask('GET', `/items/${body.id}`)).body).toEqual(body);
    await service().ask('DELETE', `/items/${body.id}`);
  });

  it('answers 404 for an unknown item', async () => {
    const answer = { status: 404, body: { error: 'not-found', message: 'item none does not exist' } };
    expect(await service().ask('GET', '/items/none')).toMatchObject(answer);
    expect(await service().ask('DELETE', '/items/none')).toMatchObject(answer);
  });

  it('answers 409 for an existing id, and changes nothing', async () => {
    const taken = seeded[3] as Item;
    const { status, body } = await service().ask('POST', '/items', { ...order, id: taken.id });
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: 'conflict', message: `item ${taken.id} already exists` },
    });
    expect((await service().ask('GET', `/items/${taken.id}`)).body).toEqual(taken);
  });

  it('pages over all items once, in the order of their times', async () => {
    const pages: Item[] = [];
    let after = '';
    do {
      const { body } = await service().ask('GET', `/items?limit=16${after}`);
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
    const { body } = await service().ask('GET', `/items?${fields}`);
    expect((body.items as Item[])[0]).toEqual(one);
    const day = one.createdAt.slice(0, 10);
    const since = (await service().ask('GET', `/items?from=${day}&limit=1000`)).body.items as Item[];
    expect(since).toHaveLength(seeded.filter(({ createdAt }) => createdAt >= day).length);
  });

  it('counts by status', async () => {
    const { body } = await service().ask('GET', '/items/stats');
    const counts = itemStatuses.map((status) => seeded.filter((item) => item.status === status).length);
    expect(body.items).toBe(dataset.rows);
    expect(itemStatuses.map((status) => (body.byStatus as Record<string, { items: number }>)[status]?.items)).toEqual(
      counts,
    );
  });

  if (engine === 'postgresql') {
    it('serves a thousand concurrent requests over its few connections', async () => {
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, i) => service().ask('GET', `/items/${seeded[i % dataset.rows]!.id}`)),
      );
      expect(
        answers.filter(({ status, body }, i) => status === 200 && body.id === seeded[i % dataset.rows]!.id),
      ).toHaveLength(1000);
    });
  }
});
