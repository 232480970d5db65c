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

export interface ProgramResult {
  stdout: string;
  stderr: string;
  /** Absent for exit code 0. */
  failure?: { kind: 'missing' | 'timeout' | 'failed'; message: string };
}

/** Runs a program without input and never rejects. A program that reaches the timeout is killed. */
export function programResult(
  path: string,
  args: readonly string[],
  { timeoutMs, env }: { timeoutMs: number; env: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, env, killSignal: 'SIGKILL' } as const;
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ stdout, stderr });
      const kind = error.killed ? 'timeout' : error.code === 'ENOENT' ? 'missing' : 'failed';
      resolve({ stdout, stderr, failure: { kind, message: error.message } });
    });
    // A prompt gets the end of its input in place of an answer.
    child.stdin?.end();
  });
}
