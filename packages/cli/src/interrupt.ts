/** Ctrl-C: the first tears down in order, the second exits at once (child processes exit with their parent). */
import { ExitCode, TopoBenchError } from '@topo-bench/core';
import { note } from './output.ts';

/**
 * Runs `work` with a signal that aborts on the first SIGINT, SIGTERM or SIGHUP.
 * @param announcement printed when the tear-down begins
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>, announcement: string): Promise<T> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(ExitCode.interrupted);
    note(`\n${announcement} (again: stop at once)`);
    controller.abort(new TopoBenchError('TB_INTERRUPTED', 'interrupted'));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

/** Resolves once the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
