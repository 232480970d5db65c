/** Output of short-lived programs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** @returns standard output; undefined when the program is missing, fails, or runs for longer than the timeout */
export async function programOutput(
  path: string,
  args: readonly string[],
  timeoutMs = 5000,
): Promise<string | undefined> {
  try {
    return (await execute(path, args, { timeout: timeoutMs })).stdout;
  } catch {
    return undefined;
  }
}
