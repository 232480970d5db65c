/** GPS points as a file of columns, which a stream processor reads without parsing. It stays on its machine. */
import { readFile, writeFile } from 'node:fs/promises';
import type { GpsPoints } from '@topo-bench/streams/tracks';

/** Three columns of 8 bytes and one of 4. */
const bytesPerPoint = 28;

/** Overwrites the file. */
export async function writePoints(file: string, points: GpsPoints): Promise<void> {
  const { timesMs, latitudes, longitudes, trips } = points;
  const columns = [timesMs, latitudes, longitudes, trips];
  await writeFile(
    file,
    columns.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );
}

/** @param count the first points of the file, or all if it has fewer */
export async function readPoints(file: string, count: number): Promise<GpsPoints> {
  const bytes = await readFile(file);
  const all = bytes.length / bytesPerPoint;
  const aligned = bytes.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0 ? bytes : Uint8Array.from(bytes);
  const { buffer, byteOffset } = aligned;
  const column = (place: number): Float64Array => new Float64Array(buffer, byteOffset + place * 8 * all, all);
  const trips = new Uint32Array(buffer, byteOffset + 3 * 8 * all, all);
  return firstPoints({ count: all, timesMs: column(0), latitudes: column(1), longitudes: column(2), trips }, count);
}

/** @returns views of the same columns */
export function firstPoints({ count: all, trips, timesMs, latitudes, longitudes }: GpsPoints, max: number): GpsPoints {
  const count = Math.min(all, max);
  return {
    count,
    trips: trips.subarray(0, count),
    timesMs: timesMs.subarray(0, count),
    latitudes: latitudes.subarray(0, count),
    longitudes: longitudes.subarray(0, count),
  };
}
