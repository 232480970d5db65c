import { requestClass } from '@topo-bench/core/schema/topology';
import { describe, expect, it } from 'vitest';
import { classRequests } from '../src/class-requests.ts';
import { requestGenerator } from '../src/requests.ts';

const orders = requestClass.parse({
  name: 'order',
  origin: { eu: 3, us: 1 },
  consents: { marketing: 0.25, profiling: 1, resale: 0, analytics: 0.5 },
  payload: { customer: { category: 'personal', size: '48B' }, items: { category: 'none', size: '16B' } },
});
const kindOf = ({ origin, consents }: { origin: string; consents: readonly string[] }): string =>
  [origin, ...consents].join(' ');

describe('the requests of a class', () => {
  it('are all combinations of origin and uncertain consents, in the shares in which they are generated', () => {
    const { requests, complete } = classRequests(orders, 1, 1);
    expect(complete).toBe(true);
    expect(requests).toHaveLength(2 * 2 * 2);
    const drawn = new Map<string, number>();
    const draw = requestGenerator({ classes: [orders], seed: 1, repetition: 1 });
    const count = 20_000;
    for (let i = 0; i < count; i++) drawn.set(kindOf(draw(i)), (drawn.get(kindOf(draw(i))) ?? 0) + 1 / count);
    expect([...drawn.keys()].sort()).toEqual(requests.map(({ request }) => kindOf(request)).sort());
    for (const { request, share } of requests) expect(share).toBeCloseTo(drawn.get(kindOf(request)) ?? 0, 1);
    expect(requests.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(requests[0]?.request).toMatchObject({ class: 'order', categories: ['personal'] });
    expect(requests[0]?.request.payload.customer).toHaveLength(48);
  });

  it('have several payloads each, where rules read them', () => {
    const { requests } = classRequests(orders, 1, 3);
    expect(requests).toHaveLength(24);
    expect(new Set(requests.map(({ request }) => request.payload.customer)).size).toBe(24);
    expect(requests.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it('are drawn where there are too many combinations', () => {
    const consents = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`c-${i}`, 0.5]));
    const { requests, complete } = classRequests({ ...orders, consents }, 1, 1);
    expect([complete, requests.length]).toEqual([false, 4096]);
  });
});
