/**
 * The search for the sustained throughput: paced trials bisect between rates around the throughput at full speed. A
 * trial succeeds when the database keeps up with its source.
 */
import { keepsUp, type QueueFigures } from './engine/queue-growth.ts';

/** Limits of the search, as shares of the throughput at full speed. */
export const searchLimits = [0.4, 1.3] as const;

export interface Search<Outcome> {
  trials: Outcome[];
  /** Highest rate that succeeded; undefined without any. */
  sustainedPerSecond: number | undefined;
}

/** The step between the last two rates is a factor of 3.25 ^ (1 / 2^count). */
export async function searchSustained<Outcome extends QueueFigures>(
  fullSpeedPerSecond: number,
  count: number,
  run: (ratePerSecond: number) => Promise<Outcome>,
): Promise<Search<Outcome>> {
  let [low, high] = searchLimits.map((share) => share * fullSpeedPerSecond) as [number, number];
  const trials: Outcome[] = [];
  let sustainedPerSecond: number | undefined;
  while (trials.length < count) {
    const rate = Math.sqrt(low * high);
    const trial = await run(rate);
    trials.push(trial);
    if (keepsUp(trial)) {
      sustainedPerSecond = rate;
      low = rate;
    } else high = rate;
  }
  return { trials, sustainedPerSecond };
}
