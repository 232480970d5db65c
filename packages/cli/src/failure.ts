/** The one place where an error becomes text and an exit code. */
import { ExitCode, formatError, TopoBenchError } from '@topo-bench/core';
import { note, printJson } from './output.ts';

/**
 * Prints an error for people on standard error and, with `json`, as one document on standard output.
 * @returns the exit code of the process
 */
export function reportFailure(error: unknown, { json }: { json: boolean }): ExitCode {
  const failure =
    error instanceof TopoBenchError ? error : new TopoBenchError('TB_INTERNAL', describe(error), { cause: error });
  note(formatError(failure));
  if (failure.code === 'TB_INTERNAL' && error instanceof Error) note(error.stack ?? '');
  if (json) {
    const { code, message, hint, location, problems } = failure;
    printJson({ error: { code, message, hint, ...location, ...(problems.length > 0 && { problems }) } });
  }
  return failure.exitCode ?? ExitCode.internal;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
