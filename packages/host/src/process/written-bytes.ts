/** Bytes that the processes of a tree wrote to files, as the kernel counts them for the block layer. */
import { readFileSync } from 'node:fs';
import { readAllProcessStats } from './process-stat.ts';
import { treeMembers } from './process-tree.ts';

/**
 * Includes children that ended and were waited for. Bytes in the page cache count when they become dirty; a file system
 * in memory counts none.
 * @returns undefined when the processes do not exist, belong to another user, or the system has no such figure
 */
export function readTreeWrittenBytes(roots: readonly number[]): number | undefined {
  const written = treeMembers(readAllProcessStats(), roots).map(({ pid }) => writtenBytes(pid));
  if (written.length === 0 || written.every((bytes) => bytes === undefined)) return undefined;
  // A process can end between the two readings.
  return written.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

function writtenBytes(pid: number): number | undefined {
  try {
    const field = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
    return field === undefined ? undefined : Number(field);
  } catch {
    return undefined;
  }
}
