import { describe, expect, it } from 'vitest';
import { floorMarkdown, floorRows, type MeasuredPair, type PairFigures } from '../bench/floor/floor-table.ts';

const figures = (rttMedianUs: number, more: Partial<PairFigures> = {}): PairFigures => ({
  valid: true,
  rttMedianUs,
  rttP95Us: 2 * rttMedianUs,
  cpuUsPerRequest: 100,
  ...more,
});
const pair = (first: PairFigures, second: PairFigures): MeasuredPair => ({
  mode: 'fresh',
  warmUpSeconds: 20,
  first,
  second,
});

describe('the table of bench:floor', () => {
  it('prints the distance of equal measurements, whichever of the two is larger', () => {
    // Differences of 1%, 2%, … 9%, every other one in the other direction.
    const pairs = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((percent) => {
      const [low, high] = [figures(1000), figures(1000 * (1 + percent / 100))];
      return percent % 2 === 0 ? pair(low, high) : pair(high, low);
    });
    const [median, p95, cpu] = floorRows(pairs);
    expect(median).toMatchObject({ mode: 'fresh', warmUpSeconds: 20, metric: 'rttMedianUs', pairs: 9, leftOut: 0 });
    expect(median?.medianPercent).toBeCloseTo(5, 6);
    // The sign test leaves out one of nine values at each end: P(Bin(9, 1/2) <= 1) = 10/512 < 2.5%, up to the second
    // value.
    expect(median?.interval[0]).toBeCloseTo(2, 6);
    expect(median?.interval[1]).toBeCloseTo(8, 6);
    expect(p95?.medianPercent).toBeCloseTo(5, 6);
    expect(cpu?.medianPercent).toBe(0);
  });

  it('leaves out pairs of which one is invalid or has no figure, and counts them', () => {
    const rows = floorRows([
      pair(figures(100), figures(110)),
      pair(figures(100), figures(900, { valid: false })),
      pair(figures(100), figures(110, { cpuUsPerRequest: undefined })),
    ]);
    expect(rows.map(({ pairs, leftOut }) => [pairs, leftOut])).toEqual([
      [2, 1],
      [2, 1],
      [1, 2],
    ]);
  });

  it('keeps modes and warm-ups apart, and is a table that Markdown reads', () => {
    const some = pair(figures(100), figures(110));
    const rows = floorRows([some, { ...some, mode: 'interleaved' }, { ...some, warmUpSeconds: 60 }]);
    expect(rows.map(({ mode, warmUpSeconds }) => `${mode} ${warmUpSeconds}`).filter((_, at) => at % 3 === 0)).toEqual([
      'fresh 20',
      'interleaved 20',
      'fresh 60',
    ]);
    const lines = floorMarkdown(rows).split('\n');
    expect(lines).toHaveLength(11);
    expect(new Set(lines.map((line) => line.split('|').length))).toEqual(new Set([9]));
    expect(lines[2]).toBe('| fresh | 20 s | median RTT | 1 | 10.0% | 0.0% to unknown | 10.0% |');
  });
});
