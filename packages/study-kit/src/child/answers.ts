/** The answers of an asked child, sent by itself. They are lost without harm once the run has ended. */
import { type ErrorCode, TopoBenchError } from '@topo-bench/core';

/** Answer to a request that failed. */
export interface FailedAnswer {
  kind: 'failed';
  code: string;
  message: string;
  hint?: string;
}

export function answer(message: { kind: string }): void {
  if (process.connected) process.send?.(message, () => {});
}

/** @param fallback code of an error that has none */
export function answerFailure(error: unknown, fallback: ErrorCode): void {
  const { code, hint } = error instanceof TopoBenchError ? error : { code: fallback, hint: undefined };
  const message = error instanceof Error ? error.message : String(error);
  const failed: FailedAnswer = { kind: 'failed', code, message };
  answer(hint === undefined ? failed : { ...failed, hint });
}
