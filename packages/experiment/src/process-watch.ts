/**
 * Reads the usage of processes at the right moments of a repetition: around an idle time, before the first request and
 * after the last answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GroupUsage, type ProcessUsage, sumUsage } from '@topo-bench/host';
import type { GroupReading } from '@topo-bench/loadgen';
import type { Deployment, RoleUsage } from '@topo-bench/runners';
import { type ProcessUse, processUse, type Reading, type Usages } from './process-use.ts';

/** What the load before has left to do, sockets to close above all, is done after that. */
const settleMs = 250;
const minIdleMs = 1000;

export class ProcessWatch {
  readonly #read: () => Promise<Usages>;
  #idleStart: Promise<Reading> | undefined;
  #idleEnd: Reading | undefined;
  #loadStart: Reading | undefined;
  #loadEnd: Promise<Reading> | undefined;

  /** @param read usage by group, since the start of the processes */
  constructor(read: () => Promise<Usages>) {
    this.#read = read;
  }

  /** No requests come from now on. Preparing the load takes about as long as the idle window. */
  idle(signal: AbortSignal): void {
    this.#idleStart = pause(settleMs, signal).then(() => this.#reading());
    // Who aborts learns of it elsewhere.
    this.#idleStart.catch(() => undefined);
  }

  /**
   * Ends the idle window, at the earliest when it is long enough; then the load may begin.
   * @param prepare what the processes are still asked to do before it, whose cost belongs to neither window
   */
  async ready(signal: AbortSignal, prepare: () => Promise<void> = async () => undefined): Promise<void> {
    const start = await this.#idleStart;
    if (start) {
      await pause(start.atMs + minIdleMs - performance.now(), signal);
      this.#idleEnd = await this.#reading();
    }
    await prepare();
    this.#loadStart = await this.#reading();
  }

  /** The last answer has come; the first call counts. */
  drained(): void {
    this.#loadEnd ??= this.#reading();
  }

  /** By group; those that the host does not tell of, or that ended, are missing. */
  async use(): Promise<Record<string, ProcessUse>> {
    const [idleStart, loadEnd] = [await this.#idleStart, await this.#loadEnd];
    if (!this.#loadStart || !loadEnd) return {};
    return processUse([this.#loadStart, loadEnd], idleStart && this.#idleEnd && [idleStart, this.#idleEnd]);
  }

  async #reading(): Promise<Reading> {
    const usages = await this.#read();
    return { atMs: performance.now(), usages };
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * Usage of a deployment by kind of role. `carrier` are the roles of user-supplied services: without enforcement they
 * carry the flow, otherwise they idle. Kinds of which a process cannot be read are missing.
 */
export async function usageByKind(deployment: Pick<Deployment, 'usage'>): Promise<Usages> {
  const byKind = new Map<string, (ProcessUsage | undefined)[]>();
  const add = (kind: string, usage: ProcessUsage | undefined): void => {
    byKind.set(kind, [...(byKind.get(kind) ?? []), usage]);
  };
  for (const { kind, process, userService, started } of await deployment.usage()) {
    add(userService ? 'carrier' : kind, process);
    if (started) add(kind, started);
  }
  return Object.fromEntries(
    [...byKind].flatMap(([kind, usages]): [string, GroupUsage][] => {
      const known = usages.filter((usage) => usage !== undefined);
      const sum = known.length === usages.length ? sumUsage(known) : undefined;
      return sum ? [[kind, sum]] : [];
    }),
  );
}

/** What the process of one role uses; undefined where its host does not tell. */
export function readingOf(usages: readonly RoleUsage[], role: string): GroupReading | undefined {
  const { process, pssBytes } = usages.find(({ name }) => name === role) ?? {};
  return process && { processes: 1, ...process, ...(pssBytes !== undefined && { pssBytes }) };
}
