/** Deadlines of requests to an engine: a request without an answer would block its run for ever. */
import { engineFailure } from './engine-failure.ts';

/** An engine under load takes seconds to create or start a container. */
export const engineAnswerMs = 60_000;

/**
 * Sends a request, and aborts it when the engine has not answered in time.
 * @param work for the error, e.g. `create the network tb-1`
 * @throws TopoBenchError `TB_ENGINE_FAILED` after the deadline; otherwise the error of the request, as it is
 */
export async function withinDeadline<Answer>(
  work: string,
  request: (signal: AbortSignal) => Promise<Answer>,
  deadlineMs = engineAnswerMs,
): Promise<Answer> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(engineFailure(work, new Error(`waited ${deadlineMs / 1e3} s`)));
      abort.abort();
    }, deadlineMs);
  });
  try {
    return await Promise.race([request(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
