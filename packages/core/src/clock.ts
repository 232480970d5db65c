/**
 * Time as an argument: pure packages take a clock instead of reading one, so that tests and the simulator can drive it.
 */
export interface Clock {
  /** Monotonic time in µs (fractions carry what the platform resolves); only differences mean anything. */
  nowUs(): number;
}

/** The process's monotonic clock: µs since an arbitrary start, resolution below 1 µs. */
export const monotonicClock: Clock = {
  nowUs: () => performance.now() * 1e3,
};
