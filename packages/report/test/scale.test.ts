import { expect, test } from 'vitest';
import { scaleFor } from '../src/scale.ts';

test('a narrow spread is drawn on a linear axis from zero', () => {
  const scale = scaleFor([200, 1000]);
  expect(scale.kind).toBe('linear');
  expect(scale.at(500) - scale.at(0)).toBeCloseTo(scale.at(1000) - scale.at(500));
  expect(scale.ticks.map(({ label }) => label)).toEqual(['0 µs', '250 µs', '500 µs', '750 µs', '1 ms']);
});

test('a wide spread is drawn on a logarithmic axis, with powers of ten as ticks', () => {
  const scale = scaleFor([500, 60e6]);
  expect(scale.kind).toBe('logarithmic');
  expect(scale.at(10_000) - scale.at(1000)).toBeCloseTo(scale.at(100_000) - scale.at(10_000));
  expect(scale.ticks.map(({ label }) => label)).toEqual(['1 ms', '10 ms', '100 ms', '1 s', '10 s']);
});

test('everything stays on the axis, and infinity beyond all that is finite', () => {
  const values = [500, 1e3, 60e6, Number.POSITIVE_INFINITY];
  const scale = scaleFor(values);
  const places = values.map(scale.at);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...places)).toBeLessThanOrEqual(100);
  expect(scale.infiniteFrom).toBeGreaterThan(scale.at(60e6));
  expect(scale.infiniteFrom).toBeLessThan(scale.at(Number.POSITIVE_INFINITY));
});

test('one value, none, or only infinite ones make an axis too', () => {
  for (const values of [[5], [], [Number.POSITIVE_INFINITY], [0]]) {
    const scale = scaleFor(values);
    for (const value of values) expect(scale.at(value)).toBeGreaterThanOrEqual(0);
  }
});
