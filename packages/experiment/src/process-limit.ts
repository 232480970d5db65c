/** Max number of role processes on this machine at the same time. */
import { usableCores, usableMemoryBytes } from '@topo-bench/host';

/** Memory of one process after load. */
export const bytesPerProcess = 60 * 1024 ** 2;
const memoryShare = 0.7;
/** Most processes are idle while one deployment has its turn. Above this limit the warm-up takes minutes. */
const processesPerCore = 100;

export function processLimit(): number {
  const inMemory = (memoryShare * usableMemoryBytes()) / bytesPerProcess;
  return Math.max(1, Math.floor(Math.min(inMemory, processesPerCore * usableCores())));
}
