import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from '../src/normal-distribution.ts';

describe('the normal distribution', () => {
  // Abramowitz & Stegun, table 26.1; digits beyond it by the C library's erfc.
  it.each([
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [1, 0.8413447460685429],
    [1.96, 0.9750021048517795],
    [2.999, 0.9986456634662729],
    [3.001, 0.998654527174915],
    [-1, 0.15865525393145707],
    [-5, 2.866515718791939e-7],
    [-10, 7.619853024160527e-24],
  ])('has Φ(%d) = %d', (z, p) => {
    expect(Math.abs(normalCdf(z) / p - 1)).toBeLessThan(1e-12);
  });

  it.each([
    [0.5, 0],
    [0.75, 0.6744897501960817],
    [0.975, 1.959963984540054],
    [0.001, -3.090232306167813],
    [1e-20, -9.26234008979841],
  ])('has the quantile of %d at %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 12);
  });

  it('has quantiles that invert its distribution function over 200 orders of magnitude', () => {
    for (let p = 1e-200; p < 1; p *= 1.7) expect(Math.abs(normalCdf(normalQuantile(p)) / p - 1)).toBeLessThan(1e-10);
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalQuantile(Number.NaN)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});
