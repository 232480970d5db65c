/**
 * One attempt to start a deployment, shared by all runners. It is limited in time, and ends when the caller aborts or
 * with its first failure.
 */
import { setMaxListeners } from 'node:events';
import type { TopoBenchError } from '@topo-bench/core';
import { interrupted } from './unless-aborted.ts';

export interface AttemptOptions {
  timeoutMs: number;
  /** Creates the error of a timeout. */
  timedOut: () => TopoBenchError;
  /** Aborts the start. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs `work` to its end or to the first failure of the attempt.
 * @param undo ends all started roles; called before the promise rejects
 * @throws the first failure; TopoBenchError `TB_INTERRUPTED` when `signal` was aborted
 */
export async function attemptStart<Result>(
  { timeoutMs, timedOut, signal }: AttemptOptions,
  work: (attempt: StartAttempt) => Promise<Result>,
  undo: () => Promise<void>,
): Promise<Result> {
  const attempt = new StartAttempt();
  const timer = setTimeout(() => attempt.fail(timedOut()), timeoutMs);
  const interrupt = (): void => {
    attempt.fail(interrupted());
  };
  signal?.addEventListener('abort', interrupt);
  try {
    if (signal?.aborted) interrupt();
    return await work(attempt);
  } catch (error) {
    attempt.fail(error);
    await undo();
    throw attempt.signal.reason;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

export class StartAttempt {
  readonly #failed = new AbortController();

  constructor() {
    // One listener per awaited role is not a leak.
    setMaxListeners(0, this.signal);
  }

  /** Aborted with the first failure. */
  get signal(): AbortSignal {
    return this.#failed.signal;
  }

  /** Only the first failure counts: later ones are its consequences. */
  fail(error: unknown): void {
    this.#failed.abort(error);
  }

  /** The result of `work`, or the failure of the attempt if that comes first. */
  async unlessFailed<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(signal.reason);
      signal.addEventListener('abort', giveUp);
      work()
        .catch((error) => {
          this.fail(error);
          throw signal.reason;
        })
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', giveUp));
    });
  }
}
