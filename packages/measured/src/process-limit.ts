/** Max number of role processes on the hosts of a runner at the same time. */
import type { RunnerCapacity } from '@topo-bench/runners';

/** Memory of one process after load. */
export const bytesPerProcess = 60 * 1024 ** 2;
const memoryShare = 0.7;
/** Most processes are idle while one deployment has its turn. Above this limit the warm-up takes minutes. */
const processesPerCore = 100;

export function processLimit({ cores, memoryBytes }: RunnerCapacity): number {
  const inMemory = (memoryShare * memoryBytes) / bytesPerProcess;
  return Math.max(1, Math.floor(Math.min(inMemory, processesPerCore * cores)));
}
