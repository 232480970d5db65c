/**
 * The oracle redacts payloads and counts exposure with code of its own. That both agree on random payloads is what
 * makes a difference in a run a fault of the run.
 */
import { pseudonym } from '@topo-bench/core/keyed-hashing';
import { addExposure, type PlacedCopies, placeCopy, redactPayload } from '@topo-bench/flow';
import { exposureBytes, redactedCopy } from '@topo-bench/oracle';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** The share of the series that `npm test` has. */
const share = process.env.LONG_SERIES ? 1 : 0.3;

const names = ['a', 'b', 'c/d', 'e~f', '__proto__', 'constructor', '0', 'length'];
const name = fc.constantFrom(...names);
const leaf = fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: unknown; object: unknown; list: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), tie('list')),
  // From entries, so that `__proto__` is an own member as it is in parsed JSON.
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  list: fc.array(tie('value'), { maxLength: 3 }),
}));
const payload = fc
  .uniqueArray(fc.tuple(name, value), { minLength: 2, maxLength: 6, selector: ([key]) => key })
  .map((entries) => {
    return Object.fromEntries(entries) as Record<string, unknown>;
  });
const pointer = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((steps) => steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
const pointers = fc.uniqueArray(pointer, { maxLength: 4 });

describe('the oracle and the services', () => {
  it('redact payloads alike', () => {
    let changed = 0;
    fc.assert(
      fc.property(payload, pointers, pointers, (original, remove, pseudonymise) => {
        const before = JSON.stringify(original);
        const copy = JSON.stringify(
          redactPayload(original, { remove, pseudonymise }, (value) => pseudonym(value, 'key')),
        );
        expect(JSON.stringify(redactedCopy(original, { remove, pseudonymise }, 'key'))).toBe(copy);
        expect(JSON.stringify(original)).toBe(before);
        if (copy !== before) changed++;
      }),
      { numRuns: 20_000 * share, seed: 20_261_122 },
    );
    expect(changed).toBeGreaterThan(2000 * share);
  });

  it('count the exposure of a step alike, with any copies on its node', () => {
    const seen = { none: 0, part: 0, all: 0 };
    const categories = fc
      .array(fc.tuple(name, fc.constantFrom('personal', 'payment', '__proto__', 'constructor')), {
        minLength: 8,
        maxLength: 16,
      })
      .map((entries) => Object.fromEntries(entries) as Record<string, string>);
    const withheld = fc.oneof(fc.constant('everything' as const), pointers);
    fc.assert(
      fc.property(
        payload,
        categories,
        withheld,
        fc.array(pointers, { maxLength: 3 }),
        (original, fieldCategories, hidden, copies) => {
          const request = {
            class: '',
            origin: '',
            categories: [],
            consents: [],
            purpose: '',
            payload: original,
            fieldCategories,
          };
          const right = exposureBytes(request, [{ withheld: hidden, permittedCopies: copies }]);
          const placed: PlacedCopies = {};
          for (const lacking of copies) placeCopy(placed, 7, lacking);
          const bytes = {};
          addExposure(bytes, original, fieldCategories, hidden, placed[7] ?? []);
          expect(sorted(bytes)).toEqual(sorted(right));
          const most = exposureBytes(request, [{ withheld: hidden, permittedCopies: [] }]);
          const [sum, whole] = [total(right), total(most)];
          expect(sum).toBeLessThanOrEqual(whole);
          seen[sum === 0 ? 'none' : sum < whole ? 'part' : 'all']++;
        },
      ),
      { numRuns: 20_000 * share, seed: 20_261_123 },
    );
    expect(seen.none).toBeGreaterThan(2000 * share);
    expect(seen.part).toBeGreaterThan(300 * share);
    expect(seen.all).toBeGreaterThan(2000 * share);
  });
});

function sorted(bytes: Record<string, number>): [string, number][] {
  return Object.entries(bytes).sort();
}

function total(bytes: Record<string, number>): number {
  return Object.values(bytes).reduce((sum, each) => sum + each, 0);
}
