/** CPU time and memory of a process with all that it started, from Linux's /proc: a database is a tree of processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { readProcessUse } from './process-use.ts';

export interface TreeUse {
  processes: number;
  /** User and system time since the start, that of children which have ended and were waited for included; steps of 10 ms. */
  cpuUs: number;
  /** Summed over the processes: memory that they share counts once for each. */
  rssBytes: number;
}

/** Ticks of /proc/<pid>/stat per second: USER_HZ, which is 100 on every architecture that Node.js runs on. */
const usPerTick = 10_000;
const pageBytes = 4096;

interface Stat {
  pid: number;
  parent: number;
  cpuUs: number;
  rssBytes: number;
}

/** @returns undefined when none of the processes is there, or the system has no /proc */
export function readTreeUse(roots: readonly number[]): TreeUse | undefined {
  const members = membersOf(roots);
  if (members.length === 0) return undefined;
  return {
    processes: members.length,
    cpuUs: members.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    rssBytes: members.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  };
}

/** Proportional set size of the tree: memory that processes share counts once. Slow: a millisecond or more for each process. */
export function readTreePssBytes(roots: readonly number[]): number | undefined {
  const sizes = membersOf(roots).map(({ pid }) => readProcessUse(pid)?.pssBytes);
  if (sizes.length === 0 || sizes.includes(undefined)) return undefined;
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

function membersOf(roots: readonly number[]): Stat[] {
  const stats = allStats();
  const children = new Map<number, Stat[]>();
  for (const stat of stats) children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat]);
  const members: Stat[] = [];
  const open = stats.filter(({ pid }) => roots.includes(pid));
  for (let stat = open.pop(); stat; stat = open.pop()) {
    members.push(stat);
    open.push(...(children.get(stat.pid) ?? []));
  }
  return members;
}

function allStats(): Stat[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/.test(name)).flatMap((name) => readStat(Number(name)) ?? []);
}

/** Fields of proc_pid_stat(5), counted from the state, which follows the name in parentheses. */
function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
  return { pid, parent, cpuUs: ticks * usPerTick, rssBytes: (fields[21] ?? 0) * pageBytes };
}
