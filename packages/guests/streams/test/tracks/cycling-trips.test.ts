import { describe, expect, it } from 'vitest';
import { cyclingTrips, type GpsPoints } from '../../src/tracks/cycling-trips.ts';

const rowsOf = ({ count, trips, timesMs, latitudes, longitudes }: GpsPoints) =>
  Array.from({ length: count }, (_, i) => ({
    trip: trips[i]!,
    timeMs: timesMs[i]!,
    latitude: latitudes[i]!,
    longitude: longitudes[i]!,
  }));

type Track = ReturnType<typeof rowsOf>;

function tracksOf(points: GpsPoints): Track[] {
  const tracks = new Map<number, Track>();
  for (const point of rowsOf(points).sort((a, b) => a.timeMs - b.timeMs)) {
    const track = tracks.get(point.trip);
    if (track) track.push(point);
    else tracks.set(point.trip, [point]);
  }
  return [...tracks.values()];
}

const metres = (a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }): number =>
  Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((51 * Math.PI) / 180)) * 111_320;

describe('cycling trips', () => {
  const points = cyclingTrips({ points: 30_000, seed: 7 });

  it('are the same for the same seed, and others for another', () => {
    expect(cyclingTrips({ points: 30_000, seed: 7 })).toEqual(points);
    expect(cyclingTrips({ points: 30_000, seed: 8 })).not.toEqual(points);
  });

  it('have one position a second at the speed of a cyclist', () => {
    expect(points.count).toBe(30_000);
    for (const track of tracksOf(points)) {
      const gapsMs = track.slice(1).map(({ timeMs }, i) => timeMs - track[i]!.timeMs);
      expect(new Set(gapsMs)).toEqual(new Set(track.length > 1 ? [1000] : []));
      // Over a minute in a straight line: below 12 m/s, and not at rest over the whole trip.
      for (let i = 60; i < track.length; i += 60) expect(metres(track[i]!, track[i - 60]!)).toBeLessThan(60 * 12);
    }
    const long = tracksOf(points).filter((track) => track.length > 120);
    expect(long.length).toBeGreaterThan(0);
    for (const track of long) {
      expect(Math.max(...track.map((point) => metres(point, track[0]!)))).toBeGreaterThan(100);
    }
  });

  it('keep to streets, within the noise of a receiver', () => {
    const offStreetM = (metresFromCorner: number) =>
      Math.abs(metresFromCorner - Math.round(metresFromCorner / 120) * 120);
    const distances = rowsOf(points).map(({ latitude, longitude }) => {
      const north = (latitude - 51) * 111_320;
      const east = (longitude - 13.65) * 111_320 * Math.cos((51 * Math.PI) / 180);
      return Math.min(offStreetM(north), offStreetM(east));
    });
    expect(Math.max(...distances)).toBeLessThan(10);
  });

  it('arrive out of order, a few of them by many seconds', () => {
    let latestMs = 0;
    const lags = rowsOf(points).map(({ timeMs }) => {
      latestMs = Math.max(latestMs, timeMs);
      return latestMs - timeMs;
    });
    const share = (overMs: number) => lags.filter((lag) => lag > overMs).length / lags.length;
    expect(share(0)).toBeGreaterThan(0.2);
    expect(share(2000)).toBeGreaterThan(0.0005);
    expect(share(2000)).toBeLessThan(0.003);
    expect(Math.max(...lags)).toBeLessThanOrEqual(31_000);
  });

  it.each([0, 1.5, 40_000_000])('reject %d points', (count) => {
    expect(() => cyclingTrips({ points: count, seed: 1 })).toThrow(`points: got ${count}, expected a whole number`);
  });
});
