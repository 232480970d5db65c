/** The items of these tests: those that a store starts from, and one to write. */
import { seededItem } from '@topo-bench/workload';
import { dataset } from './item-service.ts';

export const seeded = Array.from({ length: dataset.rows }, (_, number) =>
  seededItem(dataset.seed, number, dataset.rows),
);

export const order = {
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
