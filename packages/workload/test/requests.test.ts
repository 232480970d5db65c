import { requestClass } from '@topo-bench/core/schema/topology';
import { describe, expect, it } from 'vitest';
import { requestGenerator } from '../src/requests.ts';

const classes = [
  {
    name: 'order',
    weight: 3,
    origin: { eu: 9, us: 1 },
    consents: { marketing: 0.25, profiling: 1, resale: 0 },
    payload: {
      customer: { category: 'personal', size: '48B' },
      items: { category: 'none', size: '1KiB' },
      card: { category: 'payment', size: '1B' },
      email: { category: 'personal', size: '0B' },
    },
  },
  { name: 'ping', origin: 'us', purpose: 'monitoring', consents: ['all'] },
].map((input) => requestClass.parse(input));
const generate = (seed = 1, repetition = 1) => requestGenerator({ classes, seed, repetition });

describe('a generated request', () => {
  const request = generate();
  const requests = Array.from({ length: 20_000 }, (_, i) => request(i));
  const orders = requests.filter((each) => each.class === 'order');
  const share = (count: number, of: number) => count / of;

  it('is a function of seed, repetition and index alone, whatever was generated before', () => {
    const again = generate();
    expect(again(41)).toEqual(requests[41]);
    expect(again(3)).toEqual(requests[3]);
    expect(generate(2)(41)).not.toEqual(requests[41]);
    expect({ ...generate(1, 2)(41), id: '' }).not.toEqual({ ...requests[41], id: '' });
  });

  it('has an id that names repetition and index and is unique', () => {
    expect(request(42).id).toBe('r1-000042');
    expect(generate(1, 7)(1_234_567).id).toBe('r7-1234567');
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
  });

  it('is of each class, from each origin and with each consent as often as their weights state', () => {
    expect(share(orders.length, requests.length)).toBeCloseTo(0.75, 1.5);
    expect(share(orders.filter(({ origin }) => origin === 'eu').length, orders.length)).toBeCloseTo(0.9, 1.5);
    expect(share(orders.filter(({ consents }) => consents.includes('marketing')).length, orders.length)).toBeCloseTo(
      0.25,
      1.5,
    );
    expect(orders.every(({ consents }) => consents.includes('profiling') && !consents.includes('resale'))).toBe(true);
    const pings = requests.filter((each) => each.class === 'ping');
    expect(pings.every(({ origin, consents }) => origin === 'us' && consents.join() === 'all')).toBe(true);
  });

  it('draws class, origin and consents independently', () => {
    const both = orders.filter(({ origin, consents }) => origin === 'us' && consents.includes('marketing')).length;
    expect(share(both, orders.length)).toBeCloseTo(0.025, 2);
  });

  it('carries values of exactly the declared bytes, also once they are JSON, and the categories of its fields', () => {
    for (const order of orders.slice(0, 200)) {
      const bytes = Object.values(order.payload).map((value) => Buffer.byteLength(JSON.stringify(value)) - 2);
      expect(bytes).toEqual([48, 1024, 1, 0]);
      expect(order.categories).toEqual(['personal', 'payment']);
      expect(order.fieldCategories).toEqual({ customer: 'personal', card: 'payment', email: 'personal' });
    }
    expect(new Set(orders.map(({ payload }) => payload.items)).size).toBeGreaterThan(orders.length / 2);
  });

  it('without payload has none, no categories and the purpose of its class', () => {
    const ping = requests.find((each) => each.class === 'ping');
    expect(ping).toMatchObject({ payload: {}, categories: [], fieldCategories: {}, purpose: 'monitoring' });
  });
});
