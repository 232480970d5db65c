/** How many processes of roles may stand on this machine at once. */
import { usableCores, usableMemoryBytes } from '@topo-bench/host';

/** What one process takes after load. */
export const bytesPerProcess = 60 * 1024 ** 2;
const memoryShare = 0.7;
/** Most of them idle while one deployment has its turn; beyond this the warm-up takes minutes. */
const processesPerCore = 100;

export function processLimit(): number {
  const inMemory = (memoryShare * usableMemoryBytes()) / bytesPerProcess;
  return Math.max(1, Math.floor(Math.min(inMemory, processesPerCore * usableCores())));
}
