/**
 * One monotonic clock for all processes of a host: generator processes start at one instant, and a server's readings compare
 * with a client's.
 */
import type { Clock } from '@topo-bench/core/clock';

/**
 * µs on the host's monotonic clock (CLOCK_MONOTONIC on Linux, its like elsewhere), the same in every process and thread up to
 * `hostClockErrorUs`. `performance.now()` counts from the thread's own origin on that clock; adding the origin costs less per
 * reading than `process.hrtime`, which allocates. The origin is measured with the first reading: a role that traces nothing
 * never loads `performance`.
 */
export const hostClock: Clock = {
  nowUs: () => {
    origin ??= measureOrigin();
    return performance.now() * 1e3 + origin.us;
  },
};

/** Max difference, in µs, between a reading here and the same instant's reading of the system: typically below 1 µs. */
export function hostClockErrorUs(): number {
  origin ??= measureOrigin();
  return origin.errorUs;
}

/** The thread's origin on the host's clock, ± the error. */
export interface ClockOrigin {
  us: number;
  errorUs: number;
}

let origin: ClockOrigin | undefined;

const tries = 8;

/**
 * @param systemUs reads the host's clock, in µs
 * @param threadUs reads the thread's clock, in µs
 */
export function measureOrigin(systemUs = readSystemUs, threadUs = (): number => performance.now() * 1e3): ClockOrigin {
  // Each reading of the system lies between two of the thread, which bounds the origin from both sides.
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let beforeUs = threadUs();
  for (let i = 0; i < tries; i++) {
    const nowUs = systemUs();
    const afterUs = threadUs();
    low = Math.max(low, nowUs - afterUs);
    high = Math.min(high, nowUs - beforeUs);
    beforeUs = afterUs;
  }
  return { us: (low + high) / 2, errorUs: Math.max(0, high - low) / 2 };
}

function readSystemUs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + nanoseconds / 1e3;
}
