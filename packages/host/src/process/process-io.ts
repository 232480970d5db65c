/** Bytes that a process has read, from sockets, pipes and files alike. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * The sum over its threads. The figure of the process itself also has the reads of its children that have ended.
 * @returns undefined when the process has ended or the system has no such figure
 */
export function readBytesRead(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).flatMap((thread) => bytesOfThread(pid, thread) ?? []);
    return threads.length === 0 ? undefined : threads.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return undefined;
  }
}

/** Undefined when it has ended. */
function bytesOfThread(pid: number, thread: string): number | undefined {
  try {
    const value = /^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/task/${thread}/io`, 'utf8'))?.[1];
    return value === undefined ? undefined : Number(value);
  } catch {
    return undefined;
  }
}
