/**
 * The cores of all hosts. Each has a queue of its own, by priority. A process that wakes up may stay on the core of its
 * waker; else it takes an idle core, or the shortest queue. A core without work may take from another queue.
 */

import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { UniformDraws } from './uniform-draws.ts';

/** Generators first, then the gateway, then all others. */
export const priorities = { generator: 0, gateway: 1, other: 2 } as const;
const levels = 3;

export class Processors {
  /** By core: its running process, −1 for none, and since when without another one. */
  readonly running: Int32Array;
  /** Further places that always belong to one process: `running` has them after the cores. */
  readonly cores: number;
  readonly sliceSinceUs: Float64Array;
  readonly hostOf: Int32Array;
  /** Cores of host h: from `first[h]` to before `first[h + 1]`. */
  private readonly first: number[] = [];
  /** Queues at [core · levels + priority]; `next` links the processes of one. */
  private readonly head: Int32Array;
  private readonly tail: Int32Array;
  private readonly next: Int32Array;
  private readonly length: Int32Array;
  /** By host: processes in its queues. */
  private readonly queued: Int32Array;
  /** By process. */
  private readonly lastCore: Int32Array;

  /**
   * @param hostOfProcess by process
   * @param priority by process
   * @param others places for processes that need no core of their own
   */
  constructor(
    cores: readonly number[],
    private readonly hostOfProcess: Int32Array,
    private readonly priority: Int32Array,
    others: number,
    private readonly scheduling: DemandModel['scheduling'],
    private readonly random: UniformDraws,
  ) {
    let all = 0;
    for (const count of cores) {
      this.first.push(all);
      all += count;
    }
    this.first.push(all);
    this.hostOf = Int32Array.from(cores.flatMap((count, host) => Array.from({ length: count }, () => host)));
    this.cores = all;
    this.running = new Int32Array(all + others).fill(-1);
    this.sliceSinceUs = new Float64Array(all + others);
    this.head = new Int32Array(all * levels).fill(-1);
    this.tail = new Int32Array(all * levels).fill(-1);
    this.length = new Int32Array(all);
    this.queued = new Int32Array(cores.length);
    this.next = new Int32Array(hostOfProcess.length);
    this.lastCore = hostOfProcess.map((host) => this.first[host] as number);
  }

  /**
   * The core of a process that wakes up.
   * @param waker core of the process that sent the message; −1 for a timer
   */
  coreFor(process: number, waker: number): number {
    const host = this.hostOfProcess[process] as number;
    const { stay } = this.scheduling;
    if (waker >= 0 && stay > 0 && this.hostOf[waker] === host && this.random.next() < stay) return waker;
    const last = this.lastCore[process] as number;
    if (this.running[last] === -1) return last;
    let shortest = last;
    for (let core = this.first[host] as number; core < (this.first[host + 1] as number); core++) {
      if (this.running[core] === -1) return core;
      if ((this.length[core] as number) < (this.length[shortest] as number)) shortest = core;
    }
    return shortest;
  }

  /** The process begins on an idle core. */
  start(core: number, process: number, nowUs: number): void {
    this.running[core] = process;
    this.sliceSinceUs[core] = nowUs;
    if (core < this.cores) this.lastCore[process] = core;
  }

  isQueued(core: number): boolean {
    return (this.length[core] as number) > 0;
  }

  enqueue(core: number, process: number): void {
    const queue = core * levels + (this.priority[process] as number);
    this.next[process] = -1;
    const tail = this.tail[queue] as number;
    if (tail < 0) this.head[queue] = process;
    else this.next[tail] = process;
    this.tail[queue] = process;
    (this.length[core] as number)++;
    (this.queued[this.hostOf[core] as number] as number)++;
  }

  /** The next process for a core that has become free; −1: it becomes idle. */
  nextFor(core: number): number {
    this.running[core] = -1;
    if (this.isQueued(core)) return this.dequeue(core);
    const host = this.hostOf[core] as number;
    if ((this.queued[host] as number) === 0) return -1;
    const { pull } = this.scheduling;
    if (pull < 1 && (pull === 0 || this.random.next() >= pull)) return -1;
    return this.dequeue(this.longestQueue(host));
  }

  private longestQueue(host: number): number {
    let longest = -1;
    let most = 0;
    for (let core = this.first[host] as number; core < (this.first[host + 1] as number); core++) {
      const length = this.length[core] as number;
      if (length > most) {
        most = length;
        longest = core;
      }
    }
    return longest;
  }

  private dequeue(core: number): number {
    (this.length[core] as number)--;
    (this.queued[this.hostOf[core] as number] as number)--;
    let queue = core * levels;
    while ((this.head[queue] as number) < 0) queue++;
    const process = this.head[queue] as number;
    const next = this.next[process] as number;
    this.head[queue] = next;
    if (next < 0) this.tail[queue] = -1;
    return process;
  }
}
