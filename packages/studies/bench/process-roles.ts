/** Resident memory of the programs of a read, by role: descendants of this process that run a built program. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAllProcessStats, treeMembers } from '@topo-bench/host';

const roles: Readonly<Record<string, string>> = {
  'connector.js': 'connector',
  'converter.js': 'flight-server',
  'exporter.js': 'flight-server',
};

const pauseMs = 300;

/** Waits until programs that were just started have loaded their code. @returns MB */
export async function settledRoles(pid: number): Promise<Record<string, number>> {
  for (let before = rolesBelow(pid), same = 0; ; ) {
    await sleep(pauseMs);
    const now = rolesBelow(pid);
    same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0;
    if (same === 3) return now;
    before = now;
  }
}

function rolesBelow(pid: number): Record<string, number> {
  const members = treeMembers(readAllProcessStats(), [pid]);
  return Object.fromEntries(
    members.flatMap((stat) => {
      const script = readFileSync(`/proc/${stat.pid}/cmdline`, 'utf8').split('\0')[1] ?? '';
      const role = roles[script.replace(/.*\//, '')];
      return role === undefined ? [] : [[role, stat.rssBytes / 1e6]];
    }),
  );
}
