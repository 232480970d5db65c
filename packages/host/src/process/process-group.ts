/**
 * CPU time and memory of a process group, such as a user-supplied command line: its shell, its server and their
 * children.
 */
import { readAllProcessStats } from './process-stat.ts';
import { type TreeUse, treeUseOf } from './process-tree.ts';

/** @returns undefined when the system has no /proc, or no process of the group is left */
export function readGroupUse(group: number): TreeUse | undefined {
  return treeUseOf(readAllProcessStats().filter((stat) => stat.group === group));
}
