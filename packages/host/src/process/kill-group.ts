/** Ending processes that are not children of this one. */

/** Kills a process group at once; does nothing when none of its processes is left. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {}
}
