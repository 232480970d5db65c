import { describe, expect, it } from 'vitest';
import { exponential, naturalLog } from '../src/portable-math.ts';
import { randomStream } from '../src/random.ts';

/** V8 runs the same algorithm, so all bits are equal. A V8 with another one would fail here, and seeds would not. */
describe('portable functions have the bits of those of V8', () => {
  const random = randomStream(1, 'portable-math');
  const special = [0, 1, -1, 2, 0.5, Math.SQRT2, Math.SQRT1_2, Math.E, 5e-324, 2.2e-308, Number.MAX_VALUE];
  const near = [1 + 2 ** -30, 1 - 2 ** -30, 2 + 2 ** -40, 2 ** -27, -(2 ** -29), Infinity, -Infinity, NaN];

  it('natural logarithm', () => {
    for (const x of [...special, ...near]) expect(naturalLog(x), String(x)).toBe(Math.log(x));
    for (let i = 0; i < 100_000; i++) {
      const uniform = random.uniform();
      const any = uniform * 2 ** (random.integer(2000) - 1000);
      if (naturalLog(1 - uniform) !== Math.log(1 - uniform))
        expect(naturalLog(1 - uniform)).toBe(Math.log(1 - uniform));
      if (naturalLog(any) !== Math.log(any)) expect(naturalLog(any), String(any)).toBe(Math.log(any));
    }
  });

  it('exponential function', () => {
    const ends = [709.78, 709.7827128933841, 709.79, -708.4, -740, -745.1, -745.2, 0.34657, 0.34658, 1.0397, 1.0398];
    for (const x of [...special, ...near, ...ends]) expect(exponential(x), String(x)).toBe(Math.exp(x));
    for (let i = 0; i < 100_000; i++) {
      for (const x of [10 * (random.uniform() - 0.5), 1450 * (random.uniform() - 0.5)]) {
        if (exponential(x) !== Math.exp(x)) expect(exponential(x), String(x)).toBe(Math.exp(x));
      }
    }
  });
});
