import { describe, expect, it } from 'vitest';
import { breakEvens } from '../src/break-even.ts';
import { runOf } from './fixtures/run-of.ts';

const rounds = [0.99, 1, 1.01, 0.985, 1.015, 0.995, 1.005, 1];

/** @param ratios sidecar against central entity by rate; noise is ±2%, and the same for both in a round */
const run = (ratios: Readonly<Record<number, number>>, own = 0.002) =>
  runOf(
    Object.entries(ratios).flatMap(([rate, ratio]) => [
      {
        factors: { architecture: 'central-entity', rate: Number(rate) },
        mediansUs: rounds.map((noise) => 10_000 * noise),
      },
      {
        factors: { architecture: 'sidecar', rate: Number(rate) },
        mediansUs: rounds.map((noise, round) => 10_000 * ratio * noise * (1 + own * Math.sin(3 * round))),
      },
    ]),
  );
const ask = { along: 'rate', compared: 'architecture', reference: 'central-entity' };

describe('breakEvens', () => {
  it('finds where the ratio crosses 1, between the levels around it, with a band of the intervals', () => {
    const [curve, ...others] = breakEvens(run({ 20: 0.8, 100: 0.9, 200: 1 / 0.9, 300: 1.4 }), ask);
    expect(others).toEqual([]);
    expect(curve?.points.map(({ x }) => x)).toEqual([20, 100, 200, 300]);
    const [crossing, ...more] = curve?.crossings ?? [];
    expect(more).toEqual([]);
    expect(crossing).toMatchObject({ between: [100, 200], lowerBefore: true, isShown: true });
    // The logarithms of 0.9 and 1 / 0.9 are equally far from zero.
    expect(crossing?.at).toBeCloseTo(150, 0);
    const [low = 0, high = 0] = crossing?.band ?? [];
    expect(low).toBeGreaterThan(140);
    expect(low).toBeLessThan(150);
    expect(high).toBeGreaterThan(150);
    expect(high).toBeLessThan(160);
  });

  it('has a band without an end where the intervals never leave zero, and is then not shown', () => {
    const [curve] = breakEvens(run({ 20: 0.99, 100: 1.01, 200: 1.5 }, 0.02), ask);
    const [crossing] = curve?.crossings ?? [];
    expect(crossing?.isShown).toBe(false);
    expect(crossing?.band[0]).toBe(Number.NEGATIVE_INFINITY);
    expect(crossing?.band[1]).toBeLessThan(200);
  });

  it('counts one change of order once, however often noise crosses zero within it', () => {
    const [curve] = breakEvens(run({ 20: 0.8, 100: 1.0002, 200: 0.9998, 300: 1.25 }), ask);
    expect(curve?.points.map(({ cell }) => cell.verdict).slice(1, 3)).not.toContain('faster');
    expect(curve?.crossings).toMatchObject([{ between: [20, 300], isShown: true, lowerBefore: true }]);
    expect(breakEvens(run({ 20: 0.8, 100: 1.0002, 200: 0.8 }), ask)[0]?.crossings).toEqual([]);
  });

  it('finds the other direction, and none where the order stays', () => {
    const [curve] = breakEvens(run({ 20: 1.2, 100: 0.8 }), ask);
    expect(curve?.crossings).toMatchObject([{ lowerBefore: false, isShown: true }]);
    expect(breakEvens(run({ 20: 1.2, 100: 1.3 }), ask)[0]?.crossings).toEqual([]);
  });
});
