/** Polls a server that emits no event when it is ready. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReadyWait {
  timeoutMs: number;
  /** Pause before the second attempt; doubled with each further one up to `maxPauseMs`. */
  pauseMs: number;
  /** Default: `pauseMs`. */
  maxPauseMs?: number;
}

/**
 * Repeats an attempt until it succeeds. The first attempt runs whatever the timeout.
 * @param attempt returns what is missing, or undefined when the server is ready; a rejection ends the polling
 * @returns undefined when the server is ready; after the timeout, what was missing last
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
