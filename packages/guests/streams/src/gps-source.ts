/** GPS points as events: the geohash cell is the key, and each point counts as one crossing. */

import type { EventSource } from './source.ts';
import type { GpsPoints } from './tracks/cycling-trips.ts';
import { geohashCell, geohashScale } from './tracks/geohash.ts';

/** @param cellLength characters of a geohash cell: 1 to 9; 8 is 38 m × 19 m at the equator */
export function gpsSource(points: GpsPoints, cellLength: number): EventSource {
  const scale = geohashScale(cellLength);
  const { latitudes, longitudes, timesMs } = points;
  return {
    length: points.count,
    read(position, count, batch) {
      for (let i = 0, point = position; i < count; i++, point++) {
        batch.keys[i] = geohashCell(scale, latitudes[point] as number, longitudes[point] as number);
      }
      batch.values.fill(1, 0, count);
      batch.timesMs.set(timesMs.subarray(position, position + count));
      batch.count = count;
    },
  };
}
