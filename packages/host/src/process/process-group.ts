/**
 * A process group, such as a user-supplied command line: its shell, its server and their children. Reads their use, and
 * kills them.
 */
import { readAllProcessStats } from './process-stat.ts';
import { type TreeUse, treeUseOf } from './process-tree.ts';

/** @returns undefined when the system has no /proc, or no process of the group is left */
export function readGroupUse(group: number): TreeUse | undefined {
  return treeUseOf(readAllProcessStats().filter((stat) => stat.group === group));
}

/** Kills a process group at once; does nothing for a group without processes. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {}
}
