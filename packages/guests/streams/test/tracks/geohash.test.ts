import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geohashCell, geohashScale } from '../../src/tracks/geohash.ts';
import { geohashText } from '../fixtures/geohash-text.ts';

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz';

/** The definition: each bit halves one of the two intervals. */
function byBisection(latitude: number, longitude: number, length: number): string {
  const intervals = [
    [-180, 180],
    [-90, 90],
  ] as [number, number][];
  let text = '';
  for (let character = 0; character < length; character++) {
    let digit = 0;
    for (let bit = 0; bit < 5; bit++) {
      const at = (character * 5 + bit) % 2;
      const interval = intervals[at]!;
      const middle = (interval[0] + interval[1]) / 2;
      const isUpper = (at === 0 ? longitude : latitude) >= middle;
      interval[isUpper ? 0 : 1] = middle;
      digit = digit * 2 + (isUpper ? 1 : 0);
    }
    text += alphabet[digit];
  }
  return text;
}

const textOf = (latitude: number, longitude: number, length: number): string => {
  return geohashText(length, geohashCell(geohashScale(length), latitude, longitude));
};

describe('geohash cells', () => {
  it.each([
    // The examples of the article "Geohash" in Wikipedia.
    [42.605, -5.603, 'ezs42'],
    [57.64911, 10.40744, 'u4pruydqqvj'.slice(0, 9)],
    [-25.382708, -49.265506, '6gkzwgjz'],
  ])('of %d, %d are published as %s', (latitude, longitude, published) => {
    for (let length = 1; length <= published.length; length++) {
      expect(textOf(latitude, longitude, length)).toBe(published.slice(0, length));
    }
  });

  it('equal the definition by bisection', () => {
    const degrees = (limit: number) => fc.integer({ min: -limit * 1e6, max: limit * 1e6 }).map((micro) => micro / 1e6);
    fc.assert(
      fc.property(degrees(90), degrees(180), fc.integer({ min: 1, max: 9 }), (latitude, longitude, length) => {
        expect(textOf(latitude, longitude, length)).toBe(byBisection(latitude, longitude, length));
      }),
      { numRuns: 2000 },
    );
  });

  it('include the poles and the date line', () => {
    expect([textOf(90, 180, 9), textOf(-90, -180, 9)]).toEqual(['zzzzzzzzz', '000000000']);
  });

  it.each([0, 10, 2.5])('reject a length of %d', (length) => {
    expect(() => geohashScale(length)).toThrow(`got ${length}, expected a whole number from 1 to 9`);
  });
});
