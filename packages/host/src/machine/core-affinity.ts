/** Work on some cores of this machine only: this process, and the processes that it starts meanwhile. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Limits all threads of this process to these cores for the time of the work. Needs `taskset` (Linux), and no root.
 * @param cores core numbers, e.g. `0` or `0-3,8`
 * @throws Error where the system cannot
 */
export async function restrictedTo<T>(cores: string, work: () => Promise<T>): Promise<T> {
  const before = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (before === undefined) throw new Error('the system does not tell the cores of a process');
  await setCores(cores);
  try {
    return await work();
  } finally {
    await setCores(before);
  }
}

async function setCores(cores: string): Promise<void> {
  await run('taskset', ['-a', '-c', '-p', cores, String(process.pid)]);
}
