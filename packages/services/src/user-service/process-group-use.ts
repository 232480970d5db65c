/**
 * CPU time and memory of a process group, which is what a command line of the user's became: its shell, its server and their children. From
 * Linux's /proc; another system does not tell at a price that a measurement could pay.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface GroupUse {
  /** User and system time since their start, children that ended included; in steps of 10 ms. */
  cpuUs: number;
  rssBytes: number;
}

/** USER_HZ, which is 100 on every architecture that Node.js runs on. */
const ticksPerSecond = 100;

/** @returns undefined when the system has no /proc, or no process of the group is left */
export function processGroupUse(group: number): GroupUse | undefined {
  const members = processIds().flatMap((pid) => {
    const stat = fieldsOf(pid);
    return stat && Number(stat[2]) === group ? [stat] : [];
  });
  if (members.length === 0) return undefined;
  // utime, stime, cutime and cstime are fields 14 to 17, of which the first two and ")" are cut off; rss is field 24, in pages (proc_pid_stat(5)).
  const ticks = members.flatMap((stat) => stat.slice(11, 15).map(Number)).reduce((sum, each) => sum + each, 0);
  const rssBytes = members.reduce((sum, stat) => sum + Number(stat[21]) * pageBytes(), 0);
  return { cpuUs: (ticks * 1e6) / ticksPerSecond, rssBytes };
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Fields of /proc/<pid>/stat after the name, which is in parentheses and may hold spaces. */
function fieldsOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

let knownPageBytes: number | undefined;

/** Read off this process, whose resident set /proc tells in pages and in KiB. */
function pageBytes(): number {
  knownPageBytes ??= measuredPageBytes();
  return knownPageBytes;
}

function measuredPageBytes(): number {
  const pages = Number(fieldsOf('self')?.[21]);
  const ratio = process.memoryUsage.rss() / pages;
  return [4096, 16_384, 65_536].reduce((best, size) => (Math.abs(size - ratio) < Math.abs(best - ratio) ? size : best));
}
