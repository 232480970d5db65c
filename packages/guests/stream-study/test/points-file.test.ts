import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cyclingTrips } from '@topo-bench/streams/tracks';
import { expect, it, onTestFinished } from 'vitest';
import { readPoints, writePoints } from '../src/input/points-file.ts';

it('a file of points has them all, or the first of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'topo-bench-points-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'points');
  const points = cyclingTrips({ points: 1001, seed: 4 });
  await writePoints(file, points);
  expect(statSync(file).size).toBe(1001 * 28);
  expect(await readPoints(file, 5000)).toEqual(points);
  const first = await readPoints(file, 10);
  expect([first.count, first.timesMs.length]).toEqual([10, 10]);
  expect([...first.longitudes]).toEqual([...points.longitudes.slice(0, 10)]);
  expect([...first.trips]).toEqual([...points.trips.slice(0, 10)]);
});
