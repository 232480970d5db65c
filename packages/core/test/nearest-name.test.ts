import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestName, suggestName } from '../src/nearest-name.ts';

/** The same distance by its recursive definition: slow, and plain to see. */
function byDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const substitution = byDefinition(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1);
  const swap =
    a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
      ? byDefinition(a.slice(2), b.slice(2)) + 1
      : Number.POSITIVE_INFINITY;
  return Math.min(byDefinition(a.slice(1), b) + 1, byDefinition(a, b.slice(1)) + 1, substitution, swap);
}

describe('the nearest name', () => {
  it.each([
    ['ordres', 'orders'],
    ['Orders', 'orders'],
    ['scorin', 'scoring'],
    ['exp', 'exponential'],
    ['xyz', undefined],
    ['a', undefined],
  ])('to "%s" is %s', (unknown, expected) => {
    expect(nearestName(unknown, ['orders', 'scoring', 'exponential'])).toBe(expected);
  });

  it('is the one of fewest typing mistakes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(fc.property(text, text, (a, b) => editDistance(a, b) === byDefinition(a, b)));
  });

  it('gives way to a list of all names when none is near', () => {
    expect(suggestName('zzz', ['a', 'b'], 'nodes')).toBe('nodes: a, b');
    expect(
      suggestName(
        'zzz',
        Array.from({ length: 20 }, (_, i) => `n${i}`),
      ),
    ).toMatch(/^known: n0, .*, … \(20 in all\)$/);
    expect(suggestName('zzz', [], 'nodes')).toBe('nodes: none');
  });
});
