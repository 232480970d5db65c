import { describe, expect, it } from 'vitest';
import { first, mixed } from './fixtures/mixed-workload.ts';

describe('requests to a store', () => {
  it('have the shares of the workload', () => {
    const shares = (reads: number): Record<string, number> => {
      const requests = first(4000, { ...mixed, reads });
      const share = (operation: string): number =>
        requests.filter((r) => r.operation === operation).length / requests.length;
      return { reads: share('get') + share('query'), query: share('query'), create: share('create') };
    };
    // Five standard deviations of a share of 4000 are below 0.04.
    expect(shares(0.95).reads).toBeCloseTo(0.95, 1);
    expect(shares(0.05).reads).toBeCloseTo(0.05, 1);
    expect(shares(0.5)).toMatchObject({
      reads: expect.closeTo(0.5, 1),
      query: expect.closeTo(0.25, 1),
      create: expect.closeTo(0.25, 1),
    });
  });

  it('are a function of seed, repetition and index', () => {
    expect(first(200, mixed)).toEqual(first(200, mixed));
    expect(first(200, mixed)).not.toEqual(first(200, mixed, 2));
  });

  it('add an item once, also over repetitions and the warm-up', () => {
    const ids = [0, 1, 2].flatMap((repetition) =>
      first(2000, { ...mixed, reads: 0 }, repetition)
        .filter(({ operation }) => operation === 'create')
        .map(({ body }) => (JSON.parse(body as string) as { id: string }).id),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('replace items under their own id, and write documents of the requested size', () => {
    const writes = first(500, { ...mixed, reads: 0, documentBytes: 4096 });
    for (const { operation, path, body = '' } of writes) {
      const { id } = JSON.parse(body) as { id: string };
      expect(Buffer.byteLength(body)).toBe(4096);
      expect(path).toBe(operation === 'replace' ? `/items/${id}` : '/items');
    }
    const operations = writes.map(({ operation }) => operation);
    expect([...new Set(operations)].sort()).toEqual(['create', 'replace']);
  });
});
