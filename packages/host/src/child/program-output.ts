/** Output of short-lived programs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const timeoutMs = 5000;

/** @returns standard output; undefined when the program is missing, fails, or runs for 5 s */
export async function programOutput(path: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await execute(path, args, { timeout: timeoutMs })).stdout;
  } catch {
    return undefined;
  }
}
