import { gpsSource, runJob, type StreamJob } from '@topo-bench/streams';
import { cyclingTrips, type GpsPoints } from '@topo-bench/streams/tracks';
import { describe, expect, it } from 'vitest';
import { geohashText } from '../../streams/test/fixtures/geohash-text.ts';
import { compareHeatMaps } from '../src/oracle/compare-heat-maps.ts';
import { cellByHalving } from '../src/oracle/geohash-oracle.ts';
import { HeatMapOracle } from '../src/oracle/heat-map-oracle.ts';

const pointsOf = (rows: readonly [timeMs: number, latitude: number, longitude: number][]): GpsPoints => ({
  count: rows.length,
  trips: new Uint32Array(rows.length),
  timesMs: Float64Array.from(rows, ([timeMs]) => timeMs),
  latitudes: Float64Array.from(rows, ([, latitude]) => latitude),
  longitudes: Float64Array.from(rows, ([, , longitude]) => longitude),
});
const windows = { lengthMs: 1000, outOfOrderMs: 2000 };

it('the cell by halving is the one of the published example, in Jutland', () => {
  expect(geohashText(9, cellByHalving(9, 57.64911, 10.40744))).toBe('u4pruydqq');
});

describe('the heat map of the oracle', () => {
  it('has sums and latest times', () => {
    const points = pointsOf([
      [5000, 51, 13],
      [9000, 52, 13],
      [7000, 51, 13],
    ]);
    const { cells, late } = HeatMapOracle.ofPoints(points, 8, undefined).expected(3);
    expect(cells.get(cellByHalving(8, 51, 13))).toEqual({ crossings: 2, timeMs: 7000 });
    expect(cells.get(cellByHalving(8, 52, 13))).toEqual({ crossings: 1, timeMs: 9000 });
    expect([cells.size, late]).toEqual([2, 0]);
  });

  it('leaves out a point once the latest time is the end of its window and the allowed disorder', () => {
    const at = (latestMs: number) =>
      HeatMapOracle.ofPoints(
        pointsOf([
          [latestMs, 51, 13],
          [1999, 51, 13],
        ]),
        8,
        windows,
      ).expected(2).late;
    expect([at(3999), at(4000)]).toEqual([0, 1]);
  });

  it('is that of the first points of a job', () => {
    const points = cyclingTrips({ points: 1000, seed: 3 });
    const { cells } = HeatMapOracle.ofPoints(points, 8, undefined).expected(400);
    expect([...cells.values()].reduce((sum, { crossings }) => sum + crossings, 0)).toBe(400);
  });
});

describe('a heat map against the oracle', () => {
  const points = cyclingTrips({ points: 3000, seed: 2, delayedShare: 0.05 });
  const expected = HeatMapOracle.ofPoints(points, 8, windows).expected(3000);
  const entries = [...expected.cells].map(([cell, { crossings, timeMs }]) => ({ cell, crossings, timeMs }));

  it('is right with the same cells, sums and times', () => {
    const check = compareHeatMaps(expected, entries, expected.late);
    expect(check).toMatchObject({ cells: entries.length, wrong: 0, lost: 0, duplicated: 0, lateDifference: 0 });
    expect(check.examples).toEqual([]);
  });

  it('counts crossings that are missing, too many, and in no cell', () => {
    const [first, second, third, ...rest] = entries as [(typeof entries)[0], (typeof entries)[0], (typeof entries)[0]];
    const found = [
      { ...first, crossings: first.crossings + 5 },
      { ...second, timeMs: second.timeMs + 1 },
      ...rest,
      { cell: 7, crossings: 2, timeMs: 1 },
    ];
    const check = compareHeatMaps(expected, found, expected.late - 1);
    expect(check).toMatchObject({ wrong: 4, lost: third.crossings, duplicated: 7, lateDifference: 1 });
    expect(check.examples).toHaveLength(4);
    expect(check.examples[0]).toContain(`cell ${first.cell}: got ${first.crossings + 5} crossings`);
  });

  it('equals that of the stream processor', async () => {
    const found = new Map<number, { cell: number; crossings: number; timeMs: number }>();
    const sink: StreamJob['sink'] = {
      async add({ count, cells, crossings, timesMs }) {
        for (let i = 0; i < count; i++) {
          const cell = cells[i] as number;
          const before = found.get(cell) ?? { cell, crossings: 0, timeMs: 0 };
          const timeMs = Math.max(before.timeMs, timesMs[i] as number);
          found.set(cell, { cell, crossings: before.crossings + (crossings[i] as number), timeMs });
        }
      },
      saveCheckpoint: async () => {},
      claim: async () => ({ owner: 1, checkpoint: undefined }),
    };
    const { late } = await runJob({
      source: gpsSource(points, 8),
      sink,
      windows,
      guarantee: 'exactly-once',
      partitions: 2,
      rowsPerWrite: 100,
      clock: { nowUs: () => performance.now() * 1e3 },
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    });
    expect(late).toBeGreaterThan(0);
    expect(compareHeatMaps(expected, [...found.values()], late)).toMatchObject({ wrong: 0, lateDifference: 0 });
  });
});
