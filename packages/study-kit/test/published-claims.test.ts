import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Claim, claimRatio, verdictOf } from '../src/published-claims.ts';

const claim = (...effects: number[]): Claim => ({ text: 'one is faster than the other', effects });

it('is undecided where the printed interval contains no difference', () => {
  const almost = claim(0.2, 0.15, 0.1, 0.21, 0.3, -0.02);
  expect(claimRatio(almost).interval[0]).toBeLessThan(1);
  expect(verdictOf([almost])).toBe('undecided');
  expect(verdictOf([claim(...almost.effects.map((effect) => -effect))])).toBe('undecided');
  expect(verdictOf([claim(0.2, 0.15, 0.1, 0.21, 0.3, 0.02)])).toBe('confirmed');
  expect(verdictOf([claim(-0.2, -0.15, -0.1, -0.21, -0.3, -0.02)])).toBe('refuted');
});

it('never contradicts the printed intervals', () => {
  // In thousandths, of different sizes: tests leave out zeros, which intervals contain.
  const size = fc.integer({ min: -1000, max: 1500 }).filter((thousandths) => thousandths !== 0);
  const effects = fc
    .uniqueArray(size, { minLength: 6, maxLength: 12, selector: Math.abs })
    .map((thousandths) => thousandths.map((one) => one / 1000));
  fc.assert(
    fc.property(fc.array(effects, { minLength: 1, maxLength: 4 }), (all) => {
      const claims = all.map((one) => claim(...one));
      const intervals = claims.map((one) => claimRatio(one).interval);
      const verdict = verdictOf(claims);
      if (verdict === 'confirmed') return intervals.every(([low]) => low > 1);
      if (verdict === 'refuted') return intervals.some(([, high]) => high < 1);
      return claims.length > 1 || intervals.every(([low, high]) => low <= 1 && high >= 1);
    }),
    { numRuns: 300 },
  );
});
