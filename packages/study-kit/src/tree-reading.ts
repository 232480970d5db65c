/** Reads a process that topo-bench started next to the roles, with its children. */
import { readTreePssBytes, readTreeUse } from '@topo-bench/host';
import type { GroupReading } from '@topo-bench/loadgen';

/** @returns undefined when it has ended, or the system has no /proc */
export function readTree(root: number, { pss }: { pss: boolean }): GroupReading | undefined {
  const [use, pssBytes] = [readTreeUse([root]), pss ? readTreePssBytes([root]) : undefined];
  return use && { ...use, ...(pssBytes !== undefined && { pssBytes }) };
}
