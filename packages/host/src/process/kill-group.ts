/** Kills processes that are not children of this one. */

/** Kills a process group at once; does nothing for a group without processes. */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {}
}
