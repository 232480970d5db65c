import { describe, expect, it } from 'vitest';
import {
  cellsOfQuery,
  heatMapEntries,
  type MapQueries,
  maxEntries,
  maxQueries,
  randomQueries,
  realisticQueries,
} from '../../src/map/index.ts';
import { geohashCell, geohashScale } from '../../src/tracks/geohash.ts';

const workload = { queries: 12_000, entries: 20_000, seed: 3 };
const laws = { realistic: realisticQueries, random: randomQueries };
const texts = ({ count, columns, rows, widths, heights }: MapQueries): string[] =>
  Array.from({ length: count }, (_, i) => [columns[i], rows[i], widths[i], heights[i]].join());
const repeats = (queries: MapQueries): number => 1 - new Set(texts(queries)).size / queries.count;

describe('entries of an existing heat map', () => {
  it('ascend by cell, each cell once, and by time but for less than a second', () => {
    const { cells, crossings, timesMs } = heatMapEntries({ count: 5000, seed: 1 });
    for (let i = 1; i < 5000; i++) {
      expect(cells[i]).toBeGreaterThan(cells[i - 1]!);
      expect(timesMs[i]).toBeGreaterThan(timesMs[i - 1]! - 1000);
    }
    expect(cells[4999]! - cells[0]!).toBeLessThan(10_000);
    expect(Math.min(...crossings)).toBe(1);
    expect(Math.max(...crossings)).toBeGreaterThan(100);
  });

  it('are the same in parts as in one, and others for another seed', () => {
    const whole = heatMapEntries({ count: 100, seed: 1 });
    const part = heatMapEntries({ from: 40, count: 20, seed: 1 });
    for (const column of ['cells', 'crossings', 'timesMs'] as const) {
      expect(part[column]).toEqual(whole[column].slice(40, 60));
      expect(heatMapEntries({ count: 100, seed: 2 })[column]).not.toEqual(whole[column]);
    }
  });

  it('are at most those of the published study', () => {
    expect(heatMapEntries({ from: maxEntries - 1, count: 1, seed: 1 }).count).toBe(1);
    expect(() => heatMapEntries({ from: maxEntries, count: 1, seed: 1 })).toThrow(/expected a whole number from 1 to/);
  });
});

describe.each(Object.entries(laws))('%s queries', (_, law) => {
  it('are a function of seed and sizes, ascend in time over ten hours, and hit the heat map', () => {
    const queries = law(workload);
    expect(law(workload)).toEqual(queries);
    expect(law({ ...workload, seed: 4 })).not.toEqual(queries);
    for (let i = 1; i < queries.count; i++) expect(queries.timesMs[i]).toBeGreaterThanOrEqual(queries.timesMs[i - 1]!);
    expect(queries.timesMs.at(-1)! - queries.timesMs[0]!).toBeLessThan(10 * 3600e3);
    expect(queries.timesMs.at(-1)! - queries.timesMs[0]!).toBeGreaterThan(9 * 3600e3);
    expect(new Set(queries.users).size).toBe(6);
    const found = new Set(heatMapEntries({ count: workload.entries, seed: 3 }).cells);
    const hits = Array.from({ length: 500 }, (_, i) => cellsOfQuery(queries, i * 20).filter((cell) => found.has(cell)));
    expect(hits.filter(({ length }) => length > 0).length).toBeGreaterThan(400);
  });

  it('refuse sizes beyond the published study, and maps without room for a view', () => {
    expect(() => law({ ...workload, queries: maxQueries + 1 })).toThrow(/queries: got 1292601/);
    expect(() => law({ ...workload, entries: 100 })).toThrow(/entries of a map: got 100/);
  });
});

it('realistic queries repeat mostly, random ones never', () => {
  expect(repeats(realisticQueries(workload))).toBeGreaterThan(0.5);
  expect(repeats(randomQueries(workload))).toBe(0);
  expect(() => randomQueries({ ...workload, queries: 12_800, entries: 128 })).toThrow(/at most 50 for each/);
});

it('cells of a query are those of the positions in its rectangle', () => {
  const queries = { ...randomQueries({ ...workload, queries: 1 }) };
  const cells = cellsOfQuery(queries, 0);
  expect(cells).toHaveLength(queries.widths[0]! * queries.heights[0]!);
  // The square of 2^15 cells on each side that contains 51 N, 13.65 E.
  const [columns, rows] = [2 ** 20, 2 ** 20];
  const origin = [
    Math.floor((((13.65 + 180) / 360) * columns) / 2 ** 15),
    Math.floor((((51 + 90) / 180) * rows) / 2 ** 15),
  ];
  const expected: number[] = [];
  for (let y = 0; y < queries.heights[0]!; y++) {
    for (let x = 0; x < queries.widths[0]!; x++) {
      const column = origin[0]! * 2 ** 15 + queries.columns[0]! + x;
      const row = origin[1]! * 2 ** 15 + queries.rows[0]! + y;
      const middle = [((row + 0.5) / rows) * 180 - 90, ((column + 0.5) / columns) * 360 - 180] as const;
      expected.push(geohashCell(geohashScale(8), ...middle));
    }
  }
  expect(cells).toEqual(expected);
});
