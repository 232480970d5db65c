/** Errors of requests to an engine, in terms of the work that failed. */
import { TopoBenchError } from '@topo-bench/core';

interface EngineError extends NodeJS.ErrnoException {
  /** HTTP status of the answer; absent when there was none. */
  statusCode?: number;
  json?: { message?: string } | null;
}

const refused = /address pool|no space left|cannot allocate memory|too many open files|resource temporarily/i;
const resources = 'remove unused networks and containers (docker network prune), or free memory and disk';

/** @param work what failed, e.g. `create the network tb-1` */
export function engineFailure(work: string, cause: unknown): TopoBenchError {
  // A missed deadline is described already.
  if (cause instanceof TopoBenchError) return cause;
  const { statusCode, json, message } = cause as EngineError;
  if (statusCode === undefined) {
    return new TopoBenchError('TB_ENGINE_FAILED', `the container engine gave no answer to: ${work}: ${message}`, {
      hint: 'check that the engine still runs, e.g. with docker version',
      cause,
    });
  }
  const reason = (json?.message ?? message).trim();
  if (/port is already allocated|address already in use/i.test(reason)) {
    return new TopoBenchError('TB_ROLE_PORT_TAKEN', `cannot ${work}: ${reason}`, {
      hint: 'choose another port, or stop what listens there',
      cause,
    });
  }
  if (refused.test(reason)) {
    return new TopoBenchError('TB_RUNNER_NO_RESOURCES', `cannot ${work}: ${reason}`, { hint: resources, cause });
  }
  return new TopoBenchError('TB_ENGINE_FAILED', `cannot ${work}: ${reason}`, {
    hint: 'the log of the engine may say more',
    cause,
  });
}

/** Whether a failed request had no answer: the engine may be restarting. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof TopoBenchError)) return false;
  return error.code === 'TB_ENGINE_FAILED' && (error.cause as EngineError | undefined)?.statusCode === undefined;
}

/** Whether the object of a request is already gone, or going. */
export function isGone(error: unknown): boolean {
  const { statusCode, json } = error as EngineError;
  return statusCode === 404 || (statusCode === 409 && /already in progress/.test(json?.message ?? ''));
}
