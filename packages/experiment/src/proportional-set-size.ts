/**
 * Proportional set size: memory of a process with shared pages counted by share. Node.js processes of one file share much, so
 * the sum of their resident sets overstates what a deployment takes.
 */
import { readFile } from 'node:fs/promises';

/** Bytes by process id; processes of which the system does not tell are absent. Linux only. */
export async function proportionalSetSizes(pids: readonly number[]): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  for (const pid of pids) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
    if (kibibytes !== undefined) sizes.set(pid, Number(kibibytes) * 1024);
  }
  return sizes;
}
