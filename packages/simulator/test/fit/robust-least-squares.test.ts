import { normalQuantile, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { cholesky, inverse, nonNegativeLeastSquares } from '../../src/fit/linear-algebra.ts';
import { robustLeastSquares } from '../../src/fit/robust-least-squares.ts';

describe('non-negative least squares', () => {
  it('is the plain solution where that is positive, and 0 where it would be negative', () => {
    const rows = [
      [1, 2],
      [3, 1],
      [1, 1],
    ];
    const [a, b] = nonNegativeLeastSquares(rows, [8, 9, 5]) as [number, number];
    expect([a, b]).toEqual([expect.closeTo(2, 6), expect.closeTo(3, 6)]);
    // Without the limit: (−1.2, 2.6). With x₁ = 0 the best x₂ is 6·3 / 6.
    expect(nonNegativeLeastSquares(rows, [5, -1, 0])).toEqual([0, expect.closeTo(9 / 6, 6)]);
    // The first one enters first, and leaves again: without the limit the solution is (−0.1, 3).
    const late = nonNegativeLeastSquares(
      [
        [10, 0.9],
        [9, 1],
      ],
      [1.7, 2.1],
    );
    expect(late).toEqual([0, expect.closeTo(3.63 / 1.81, 6)]);
  });

  it('inverts what Cholesky factors', () => {
    const a = [
      [4, 2, 1],
      [2, 5, 3],
      [1, 3, 6],
    ];
    const factor = cholesky(a);
    for (const [i, row] of a.entries()) {
      for (const [j, value] of row.entries()) {
        const product = factor[i]?.reduce((sum, x, k) => sum + x * (factor[j]?.[k] as number), 0);
        expect(product).toBeCloseTo(value, 10);
        const unit = row.reduce((sum, x, k) => sum + x * (inverse(a)[k]?.[j] as number), 0);
        expect(unit).toBeCloseTo(i === j ? 1 : 0, 10);
      }
    }
  });
});

describe('robust least squares with noisy residuals', () => {
  /** y = e^a · x^b, with normal noise of each evaluation, and some equations that are far off. */
  const random = randomStream(3, 'noise', 0);
  const normal = (): number => normalQuantile(random.uniform() * 0.999 + 0.0005);
  const truth = [1.5, -0.7];
  const xs = Array.from({ length: 60 }, (_, i) => 1 + i / 10);
  const observed = xs.map((x, i) => (truth[0] as number) + (truth[1] as number) * Math.log(x) + (i % 10 === 0 ? 3 : 0));
  const problem = (noise: number) => ({
    ...{ start: [0, 0], prior: [0, 0], priorSd: [10, 10], iterations: 8 },
    residuals: ([a = 0, b = 0]: readonly number[]) =>
      xs.map((x, i) => (a + b * Math.log(x) - (observed[i] as number)) / 0.1 + noise * normal()),
  });

  it('finds the parameters next to outliers, and states an error that covers them', async () => {
    const { at, covariance } = await robustLeastSquares(problem(0.5));
    for (const [i, value] of truth.entries()) {
      const sd = Math.sqrt(covariance[i]?.[i] as number);
      expect(Math.abs((at[i] as number) - value)).toBeLessThan(0.1);
      expect(sd).toBeGreaterThan(0.01);
      expect(sd).toBeLessThan(0.2);
    }
  });

  it('leaves a parameter that no residual depends on where it was, with its spread', async () => {
    const { residuals, ...rest } = problem(0.5);
    const { at, covariance } = await robustLeastSquares({
      ...rest,
      ...{ start: [0, 0, 2], prior: [0, 0, 2], priorSd: [10, 10, 0.5], residuals },
    });
    expect(at[2]).toBeCloseTo(2, 0);
    const sd = Math.sqrt(covariance[2]?.[2] as number);
    expect(sd).toBeGreaterThan(0.25);
    expect(sd).toBeLessThanOrEqual(0.5 + 1e-9);
  });
});
