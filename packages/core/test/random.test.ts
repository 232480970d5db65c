import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hash32, randomStream } from '../src/random.ts';

const draw = (count: number, ...name: Parameters<typeof randomStream>): number[] => {
  const stream = randomStream(...name);
  return Array.from({ length: count }, () => stream.uniform());
};

describe('a random stream', () => {
  it('draws the same numbers for the same seed and name', () => {
    expect(draw(100, 7, 'arrivals', 3)).toEqual(draw(100, 7, 'arrivals', 3));
  });

  it('draws the same numbers in another process', () => {
    const module = new URL('../src/random.ts', import.meta.url).href;
    const script = `import(${JSON.stringify(module)}).then(({ randomStream }) => console.log(randomStream(7, 'arrivals', 3).uniform()))`;
    const printed = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(Number(printed)).toBe(draw(1, 7, 'arrivals', 3)[0]);
  });

  it.each([[[8, 'arrivals', 3]], [[7, 'arrivals', 4]], [[7, 'requests', 3]], [[7, 'arrivals']]] as [
    Parameters<typeof randomStream>,
  ][])('draws others for another seed or name: %j', (name) => {
    const own = draw(100, 7, 'arrivals', 3);
    const other = draw(100, ...name);
    expect(own.filter((value, i) => value === other[i])).toEqual([]);
    expect(Math.abs(correlation(own, other))).toBeLessThan(0.4);
  });

  it('is uniform in [0, 1): a chi-square test over 64 bins, and the mean', () => {
    const values = draw(64_000, 1, 'uniform');
    const bins = Array<number>(64).fill(0);
    for (const value of values) bins[Math.floor(value * 64)]!++;
    const chiSquare = bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 63 degrees of freedom: beyond 110 in 2 of 10 000 cases, below 30 in as many; the seed is fixed.
    expect(chiSquare).toBeLessThan(110);
    expect(chiSquare).toBeGreaterThan(30);
    expect(Math.min(...values.slice(0, 10_000))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values.slice(0, 10_000))).toBeLessThan(1);
  });

  it('uses more than 32 bits', () => {
    expect(draw(100, 1, 'bits').some((value) => !Number.isInteger(value * 2 ** 32))).toBe(true);
    expect(draw(100, 1, 'bits').every((value) => Number.isInteger(value * 2 ** 53))).toBe(true);
  });

  it('draws whole numbers below the bound, each of them', () => {
    const stream = randomStream(3, 'integers');
    const values = Array.from({ length: 1000 }, () => stream.integer(6));
    expect([...new Set(values)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(stream.integer(1)).toBe(0);
    expect(stream.integer(2 ** 32)).toBeLessThan(2 ** 32);
  });
});

it('the hash of a text is a whole number of 32 bits that changes in about half its bits with any letter', () => {
  const flips = Array.from({ length: 500 }, (_, i) => {
    const difference = hash32(`name/${i}`) ^ hash32(`name/${i + 1}`);
    return (difference >>> 0).toString(2).replaceAll('0', '').length;
  });
  const mean = flips.reduce((a, b) => a + b, 0) / flips.length;
  expect(mean).toBeGreaterThan(15);
  expect(mean).toBeLessThan(17);
  expect(hash32('')).toBeGreaterThanOrEqual(0);
});

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - ma) * (b[i]! - mb)));
  return covariance / Math.sqrt(mean(a.map((value) => (value - ma) ** 2)) * mean(b.map((value) => (value - mb) ** 2)));
}
