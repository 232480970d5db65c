import type { Work } from '@topo-bench/core/schema/topology';
import { describe, expect, it } from 'vitest';
import { serviceTimeQuantileUs, serviceTimeUs } from '../src/service-time.ts';

const exponential: Work = { law: 'exponential', meanUs: 1000, kind: 'cpu' };
const lognormal: Work = { law: 'lognormal', meanUs: 1000, sigma: 0.5, kind: 'wait' };
const moments = (values: number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, std: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
};
const ids = Array.from({ length: 40_000 }, (_, i) => `r1-${String(i).padStart(6, '0')}`);

describe('service time', () => {
  it('of a constant law is its mean', () => {
    const work: Work = { law: 'constant', meanUs: 150, kind: 'cpu' };
    expect(serviceTimeUs(work, 1, 'r1-000000', 'orders')).toBe(150);
  });

  it.each([
    // Standard deviations: the mean for the exponential law, mean · √(exp(σ²) − 1) for the lognormal one.
    ['exponential', exponential, 1000],
    ['lognormal', lognormal, 1000 * Math.sqrt(Math.exp(0.25) - 1)],
  ] as const)('of the %s law has the stated mean and the spread of the law', (_, work, std) => {
    const { mean, std: seen } = moments(ids.map((id) => serviceTimeUs(work, 3, id, 'orders')));
    expect(Math.abs(mean - 1000)).toBeLessThan((5 * std) / Math.sqrt(ids.length));
    expect(Math.abs(seen / std - 1)).toBeLessThan(0.06);
  });

  it('has the median of its law', () => {
    expect(serviceTimeQuantileUs(exponential, 0.5)).toBeCloseTo(1000 * Math.LN2, 9);
    expect(serviceTimeQuantileUs(lognormal, 0.5)).toBeCloseTo(1000 * Math.exp(-0.125), 9);
    expect(serviceTimeQuantileUs(exponential, 0)).toBeCloseTo(0, 12);
    expect(serviceTimeQuantileUs(lognormal, 0)).toBe(0);
  });

  it('is a function of seed, request and service: equal for equal, unrelated otherwise', () => {
    expect(serviceTimeUs(exponential, 1, 'r1-000007', 'orders')).toBe(
      serviceTimeUs(exponential, 1, 'r1-000007', 'orders'),
    );
    const uniformOf = (seed: number, shift: number, service: string) =>
      ids.slice(shift).map((id) => 1 - Math.exp(-serviceTimeUs(exponential, seed, id, service) / 1000));
    const base = uniformOf(1, 0, 'svc-1');
    for (const other of [uniformOf(2, 0, 'svc-1'), uniformOf(1, 0, 'svc-2'), uniformOf(1, 1, 'svc-1')]) {
      const correlation =
        other.reduce((sum, value, i) => sum + (value - 0.5) * ((base[i] as number) - 0.5), 0) / other.length / (1 / 12);
      expect(Math.abs(correlation)).toBeLessThan(5 / Math.sqrt(other.length));
    }
  });
});
