/** Memory of processes as they share it: the proportional set size of Linux. */
import { readFile } from 'node:fs/promises';

/** MB of each process; undefined where there is no /proc. */
export async function proportionalSetSizesMb(pids: readonly number[]): Promise<number[] | undefined> {
  try {
    return await Promise.all(
      pids.map(async (pid) => {
        const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
        return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) / 1024;
      }),
    );
  } catch {
    return undefined;
  }
}
