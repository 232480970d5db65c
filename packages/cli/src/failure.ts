/** The one place where an error becomes text and an exit code. */
import { ExitCode, formatError, TopoBenchError, withoutCredentials } from '@topo-bench/core';
import { printJson } from './output.ts';

/**
 * Prints an error for people on standard error and, with `json`, as one document on standard output.
 * @returns the exit code of the process
 */
export function reportFailure(error: unknown, { json }: { json: boolean }): ExitCode {
  const failure =
    error instanceof TopoBenchError ? error : new TopoBenchError('TB_INTERNAL', describe(error), { cause: error });
  process.stderr.write(`${withoutCredentials(formatError(failure))}\n`);
  if (failure.code === 'TB_INTERNAL' && error instanceof Error)
    process.stderr.write(`${withoutCredentials(error.stack ?? '')}\n`);
  if (json) {
    const { code, hint, location, problems } = failure;
    const message = withoutCredentials(failure.message);
    printJson({ error: { code, message, hint, ...location, ...(problems.length > 0 && { problems }) } });
  }
  return failure.exitCode ?? ExitCode.internal;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
