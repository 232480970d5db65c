/** Interrupts a wait for work that cannot be cancelled, or that ends with another error. */
import { TopoBenchError } from '@topo-bench/core';

/**
 * The result of `work`, or an error as soon as the caller aborts. The work itself may continue.
 * @throws TopoBenchError `TB_INTERRUPTED`
 */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  let interrupt = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    interrupt = () => reject(interrupted());
    signal.addEventListener('abort', interrupt);
    if (signal.aborted) interrupt();
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

/** The error of a start that the caller aborted. */
export function interrupted(): TopoBenchError {
  return new TopoBenchError('TB_INTERRUPTED', 'interrupted while the services were starting');
}
