/**
 * CPU time of the threads of a process in ns, and how long they waited for a processor: what Linux's scheduler counts. A thread that ends takes its
 * figures along.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadCpu {
  cpuUs: number;
  /** Time in which it could have run, and another thread had the processor. */
  waitUs: number;
  /** Times that it got a processor. */
  slices: number;
}

/** By thread id; the main thread has that of its process. */
export type ProcessCpu = ReadonlyMap<number, ThreadCpu>;

/** @returns undefined when the process has ended or the system does not tell */
export function readProcessCpu(pid: number): ProcessCpu | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).flatMap((id) => readThread(pid, Number(id)));
    return threads.length === 0 ? undefined : new Map(threads);
  } catch {
    return undefined;
  }
}

/** `<ns on a processor> <ns waiting> <slices>` (Documentation/scheduler/sched-stats.rst). */
function readThread(pid: number, thread: number): [number, ThreadCpu][] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    const [cpuNs = 0, waitNs = 0, slices = 0] = text.trim().split(' ').map(Number);
    return [[thread, { cpuUs: cpuNs / 1e3, waitUs: waitNs / 1e3, slices }]];
  } catch {
    // It ended between the listing and the reading.
    return [];
  }
}

/** What threads did between two readings. A thread that started in between counts in full, one that ended not at all. */
export function cpuBetween(before: ProcessCpu, after: ProcessCpu, of: (thread: number) => boolean = () => true): ThreadCpu {
  const sum: ThreadCpu = { cpuUs: 0, waitUs: 0, slices: 0 };
  for (const [thread, last] of after) {
    if (!of(thread)) continue;
    const first = before.get(thread);
    sum.cpuUs += last.cpuUs - (first?.cpuUs ?? 0);
    sum.waitUs += last.waitUs - (first?.waitUs ?? 0);
    sum.slices += last.slices - (first?.slices ?? 0);
  }
  return sum;
}
