/**
 * GPS tracks of cycling trips: positions at 1 Hz on a grid of streets, with the noise of a receiver. The points of all
 * trips arrive in the order of a phone network: a short delay for each, and a long one for some.
 */
import { type RandomStream, TopoBenchError } from '@topo-bench/core';
import { streams } from '@topo-bench/workload';

/** Trips of the published study, and the maximum here. */
const maxTrips = 14_409;

export interface TripsWorkload {
  /** Points of all trips together; the last trip ends when they are complete. */
  points: number;
  seed: number;
  /** Share of points that arrive with a long delay, 0 to 1; default 0.002. */
  delayedShare?: number;
}

/** One row per point, in the order of arrival. */
export interface GpsPoints {
  count: number;
  /** Number of the trip, from 0. */
  trips: Uint32Array;
  /** Event times in ms since 1970. */
  timesMs: Float64Array;
  /** Degrees. */
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** 1 June 2022, 06:00 UTC. */
const dayStartMs = Date.UTC(2022, 5, 1, 6);
/** Trips start within this time. */
const startSpanMs = 2 * 3600e3;
const tripSeconds = { min: 600, span: 1800 };
/** The south-west corner of the streets (Dresden), their distance and their number in each direction. */
const corner = { latitude: 51, longitude: 13.65 };
const blockM = 120;
const blocks = 100;
const metresPerDegree = 111_320;
const longitudeScale = Math.cos((corner.latitude * Math.PI) / 180);
const speedMps = { min: 3, span: 5 };
const turnShare = 0.35;
const noiseM = 3;
/** Delays until arrival: up to 0.8 s usually, up to 30 s for delayed points. */
const usualDelayMs = 800;
const longDelayMs = 30_000;
/** Bits of a point's index in a sort key; times in ms take the bits above it. */
const indexSpan = 2 ** 25;

/**
 * Draws the points. The result is a function of the arguments alone; memory: 28 bytes per point.
 * @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE` for a number of points that is not whole, not positive, or needs more
 *   than `maxTrips`
 */
export function cyclingTrips({ points: count, seed, delayedShare = 0.002 }: TripsWorkload): GpsPoints {
  if (!Number.isInteger(count) || count < 1 || count >= indexSpan) throw outOfRange(count);
  const points = emptyPoints(count);
  const order = new Float64Array(count);
  let filled = 0;
  for (let trip = 0; filled < count; trip++) {
    if (trip === maxTrips) throw outOfRange(count);
    filled = addTrip(points, filled, trip, streams.trip(seed, trip));
  }
  const random = streams.arrivalDelay(seed);
  for (let index = 0; index < count; index++) {
    const delayMs = random.integer(random.uniform() < delayedShare ? longDelayMs : usualDelayMs);
    order[index] = ((points.timesMs[index] as number) - dayStartMs + delayMs) * indexSpan + index;
  }
  return inOrder(points, order.sort());
}

export function emptyPoints(count: number): GpsPoints {
  return {
    count,
    trips: new Uint32Array(count),
    timesMs: new Float64Array(count),
    latitudes: new Float64Array(count),
    longitudes: new Float64Array(count),
  };
}

/** @returns the number of points after this trip */
function addTrip(points: GpsPoints, from: number, trip: number, random: RandomStream): number {
  const startMs = dayStartMs + random.integer(startSpanMs);
  const seconds = tripSeconds.min + random.integer(tripSeconds.span);
  const speed = speedMps.min + random.uniform() * speedMps.span;
  const end = Math.min(points.count, from + seconds);
  let [x, y] = [random.integer(blocks) * blockM, random.integer(blocks) * blockM];
  let heading = random.integer(4);
  let toCrossingM = blockM;
  for (let index = from; index < end; index++) {
    points.trips[index] = trip;
    points.timesMs[index] = startMs + (index - from) * 1000;
    points.latitudes[index] = corner.latitude + (y + noise(random)) / metresPerDegree;
    points.longitudes[index] = corner.longitude + (x + noise(random)) / (metresPerDegree * longitudeScale);
    const step = speed * (0.8 + 0.4 * random.uniform());
    x += step * (eastward[heading] as number);
    y += step * (northward[heading] as number);
    toCrossingM -= step;
    if (toCrossingM > 0) continue;
    // Back on the middle of the street.
    [x, y] = [Math.round(x / blockM) * blockM, Math.round(y / blockM) * blockM];
    toCrossingM += blockM;
    heading = nextHeading(heading, x, y, random);
  }
  return end;
}

/** North, east, south, west. */
const northward = [1, 0, -1, 0];
const eastward = [0, 1, 0, -1];

function nextHeading(heading: number, x: number, y: number, random: RandomStream): number {
  const turn = random.uniform();
  const wanted = turn < turnShare ? heading + 1 : turn < 2 * turnShare ? heading + 3 : heading;
  for (let next = wanted; ; next++) {
    const [east, north] = [x + blockM * (eastward[next % 4] as number), y + blockM * (northward[next % 4] as number)];
    if (Math.min(east, north) >= 0 && Math.max(east, north) <= blocks * blockM) return next % 4;
  }
}

/** Approximately normal with mean 0, in m: the sum of three uniform draws. */
function noise(random: RandomStream): number {
  return (random.uniform() + random.uniform() + random.uniform() - 1.5) * 2 * noiseM;
}

function inOrder(points: GpsPoints, order: Float64Array): GpsPoints {
  const sorted = emptyPoints(points.count);
  for (let place = 0; place < order.length; place++) {
    const index = (order[place] as number) % indexSpan;
    sorted.trips[place] = points.trips[index] as number;
    sorted.timesMs[place] = points.timesMs[index] as number;
    sorted.latitudes[place] = points.latitudes[index] as number;
    sorted.longitudes[place] = points.longitudes[index] as number;
  }
  return sorted;
}

function outOfRange(count: number): TopoBenchError {
  const message = `points: got ${count}, expected a whole number from 1 to the points of ${maxTrips} trips (about 21 million)`;
  return new TopoBenchError('TB_LOAD_OUT_OF_RANGE', message);
}
