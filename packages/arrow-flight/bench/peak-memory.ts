/** Peak resident memory of another process, as Linux keeps it. */
import { readFileSync, writeFileSync } from 'node:fs';

/** MB; undefined where the system does not tell. */
function read(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match ? (Number(match[1]) * 1024) / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

/** @returns MB at the peak of `run` above those before it, per process; NaN where the system does not tell */
export async function peakAboveIdle(pids: readonly number[], run: () => Promise<unknown>): Promise<number[]> {
  const before = pids.map((pid) => {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5'); // Forgets the peak so far.
    } catch {
      return Number.NaN;
    }
    return read(pid, 'VmRSS') ?? Number.NaN;
  });
  await run();
  return pids.map((pid, i) => (read(pid, 'VmHWM') ?? Number.NaN) - (before[i] as number));
}
