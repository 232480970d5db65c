/** Waiting for a server that offers no event for it. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReadyWait {
  timeoutMs: number;
  /** Pause before the second attempt; doubled with each further one up to `maxPauseMs`. */
  pauseMs: number;
  /** Default: `pauseMs`. */
  maxPauseMs?: number;
}

/**
 * Repeats an attempt until it succeeds. The first attempt is made whatever the timeout.
 * @param attempt returns what is missing, undefined when the server is ready; it rejects to give up
 * @returns undefined when the server is ready; what was missing last when the time is over
 */
export async function whenReady<Missing>(
  attempt: () => Promise<Missing | undefined>,
  { timeoutMs, pauseMs, maxPauseMs = pauseMs }: ReadyWait,
): Promise<Missing | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (let pause = pauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
    const missing = await attempt();
    if (missing === undefined || performance.now() >= endMs) return missing;
    await sleep(pause);
  }
}
