/** How many processes of roles may stand on this machine at once. */
import { availableParallelism, totalmem } from 'node:os';

/** What one process takes after load. */
export const bytesPerProcess = 60 * 1024 ** 2;
const memoryShare = 0.7;
/** Most of them idle while one deployment has its turn; beyond this the warm-up takes minutes. */
const processesPerCore = 100;

export function processLimit(): number {
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.max(1, Math.floor(Math.min((memoryShare * memory) / bytesPerProcess, processesPerCore * availableParallelism())));
}
