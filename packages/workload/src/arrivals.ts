/**
 * Intended send times of requests: constant or Poisson arrivals. The whole schedule is drawn before the load starts.
 * Stalls and slow responses therefore cannot change it.
 */
import { naturalLog, type RandomStream, TopoBenchError } from '@topo-bench/core';
import type { ArrivalLaw } from '@topo-bench/core/schema/experiment';

/** Max requests of one schedule: 160 MB of send times. */
const maxArrivals = 20_000_000;

/**
 * Intended send times in µs from the start of the load, ascending, in [0, durationUs). `constant`: one request every
 * 1/rate, the first at 0. `poisson`: exponential gaps of mean 1/rate, the first gap before the first request; the count
 * is then random with mean rate · duration.
 * @param rateRps offered load in req/s, > 0
 * @param durationUs length of the load, > 0
 * @param random used by `poisson` only
 * @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE` for a rate or duration that is not a positive number, or more than
 *   `maxArrivals` requests
 */
export function arrivalTimesUs(
  law: ArrivalLaw,
  rateRps: number,
  durationUs: number,
  random: RandomStream,
): Float64Array {
  const expected = (rateRps * durationUs) / 1e6;
  if (!(rateRps > 0) || !(durationUs > 0) || !(expected <= maxArrivals)) {
    throw new TopoBenchError(
      'TB_LOAD_OUT_OF_RANGE',
      `${rateRps} req/s for ${durationUs / 1e6} s cannot be scheduled, expected a positive rate and duration and at most ${maxArrivals} requests`,
    );
  }
  return law === 'constant' ? constantTimes(rateRps, expected) : poissonTimes(rateRps, durationUs, expected, random);
}

function constantTimes(rateRps: number, expected: number): Float64Array {
  // The tolerance prevents an additional request at the end from rounding of rate · duration.
  const times = new Float64Array(Math.ceil(expected - 1e-6));
  // Multiples of the period, not a running sum: no drift over long loads.
  for (let i = 0; i < times.length; i++) times[i] = (i * 1e6) / rateRps;
  return times;
}

function poissonTimes(rateRps: number, durationUs: number, expected: number, random: RandomStream): Float64Array {
  let times = new Float64Array(Math.ceil(expected + 6 * Math.sqrt(expected) + 16));
  let count = 0;
  for (let at = exponentialGap(rateRps, random); at < durationUs; at += exponentialGap(rateRps, random)) {
    if (count === times.length) {
      const grown = new Float64Array(times.length * 2);
      grown.set(times);
      times = grown;
    }
    times[count++] = at;
  }
  return times.slice(0, count);
}

/** −ln(1 − u) / rate in µs: inversion of the exponential distribution; 1 − u is never 0. */
function exponentialGap(rateRps: number, random: RandomStream): number {
  return (-naturalLog(1 - random.uniform()) * 1e6) / rateRps;
}

/** A rate that changes evenly over a load. */
export interface Ramp {
  /** Both above 0, req/s. */
  fromRps: number;
  toRps: number;
  durationUs: number;
}

/**
 * As `arrivalTimesUs`, at a rate that changes evenly from one value to another. `constant`: request i leaves when the
 * integral of the rate reaches i. `poisson`: a non-homogeneous process, by the change of time of a homogeneous one
 * (Çinlar, Introduction to Stochastic Processes, 1975, section 4.7).
 * @throws TopoBenchError as `arrivalTimesUs`
 */
export function rampTimesUs(law: ArrivalLaw, ramp: Ramp, random: RandomStream): Float64Array {
  const { fromRps, toRps, durationUs } = ramp;
  if (!(Math.min(fromRps, toRps) > 0)) return arrivalTimesUs(law, Math.min(fromRps, toRps), durationUs, random);
  const meanRps = (fromRps + toRps) / 2;
  // At the mean rate, the same number of requests is due until the same time; only their times are bent.
  const evenly = arrivalTimesUs(law, meanRps, durationUs, random);
  const seconds = durationUs / 1e6;
  const slope = (toRps - fromRps) / seconds;
  return evenly.map((us) => {
    const count = (us / 1e6) * meanRps;
    // The root of from·t + slope·t²/2 = count, in the form that is exact for a slope near 0.
    const root = Math.sqrt(fromRps * fromRps + 2 * slope * count);
    return Math.min((2 * count * 1e6) / (fromRps + root), durationUs - 1e-3);
  });
}

/** The part of a schedule that one driver process sends. */
export interface ArrivalShard {
  /** Index of each request in the whole schedule; the content of a request depends on it. */
  indexes: Uint32Array;
  /** Intended send time of each, in µs from the start of the load. */
  timesUs: Float64Array;
}

/**
 * Distributes a schedule to driver processes by index modulo. For any number of processes, the union of their parts is
 * the whole schedule.
 * @param part index of the process, 0 … parts − 1
 */
export function arrivalShard(timesUs: Float64Array, part: number, parts: number): ArrivalShard {
  const count = Math.max(0, Math.ceil((timesUs.length - part) / parts));
  const indexes = Uint32Array.from({ length: count }, (_, i) => part + i * parts);
  return { indexes, timesUs: Float64Array.from(indexes, (index) => timesUs[index] as number) };
}
