/**
 * Time as an argument: pure packages take a clock instead of reading one. Tests and the simulator can then control it.
 */
export interface Clock {
  /** Monotonic time in µs, with fractions; only differences are meaningful. */
  nowUs(): number;
}

/** The process's monotonic clock: µs since an arbitrary start, resolution below 1 µs. */
export const monotonicClock: Clock = {
  nowUs: () => performance.now() * 1e3,
};
