/** The processors of this host over a load, four readings a second on its clock. */
import type { HostIntervals } from '@topo-bench/core';
import { type HostCpu, hostClock, readHostCpu } from '@topo-bench/host';

const intervalMs = 250;

export class HostRecorder {
  readonly #intervals: HostIntervals = { startUs: hostClock.nowUs(), endUs: [], busyUs: [], totalUs: [], ownUs: [] };
  readonly #programsUs: number[] = [];
  readonly #timer = setInterval(() => this.#read(), intervalMs).unref();
  #last: HostCpu | undefined = readHostCpu();
  #own = process.cpuUsage();

  /** Takes the last reading. @returns undefined where the system has no such figures in µs */
  stop(): HostIntervals | undefined {
    clearInterval(this.#timer);
    this.#read();
    const { endUs } = this.#intervals;
    // Only systems with this figure count in µs.
    if (endUs.length === 0 || this.#programsUs.length < endUs.length) return undefined;
    return { ...this.#intervals, programsUs: this.#programsUs };
  }

  #read(): void {
    const [before, after] = [this.#last, readHostCpu()];
    if (!before || !after || after.total <= before.total) return;
    const { user, system } = process.cpuUsage(this.#own);
    const { endUs, busyUs, totalUs, ownUs } = this.#intervals;
    endUs.push(hostClock.nowUs());
    totalUs.push(after.total - before.total);
    busyUs.push(after.total - before.total - (after.idle - before.idle) - ((after.stolen ?? 0) - (before.stolen ?? 0)));
    ownUs.push(user + system);
    if (before.programs !== undefined && after.programs !== undefined) {
      this.#programsUs.push(after.programs - before.programs);
    }
    this.#last = after;
    this.#own = process.cpuUsage();
  }
}
