/** The time limit of one step of a measurement. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TopoBenchError } from '@topo-bench/core';

export interface TimeLimit {
  limitUs: number;
  /** Called when the limit is reached. */
  error: () => TopoBenchError;
  signal: AbortSignal;
}

/**
 * Settles as the step does. Rejects with `error` when it takes longer, and when the signal aborts with its reason. The
 * step then continues, and its end is ignored.
 */
export async function withinLimit<T>(step: Promise<T>, { limitUs, error, signal }: TimeLimit): Promise<T> {
  const ended = new AbortController();
  const expired = sleep(limitUs / 1e3, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).then(
    () => {
      throw error();
    },
    (aborted: unknown) => {
      signal.throwIfAborted();
      throw aborted;
    },
  );
  // The limit is aborted when the step ends.
  expired.catch(() => {});
  try {
    return await Promise.race([step, expired]);
  } finally {
    ended.abort();
    step.catch(() => {});
  }
}
