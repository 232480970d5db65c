/** The processors of this host over a load, four readings a second on its clock. */
import type { HostIntervals } from '@topo-bench/core';
import { type HostCpu, hostClock, idleBetween, readHostCpu } from '@topo-bench/host';

const intervalMs = 250;

interface Reading {
  atUs: number;
  cpu: HostCpu;
  /** CPU time of this process. */
  ownUs: number;
}

export class HostRecorder {
  readonly #readings: Reading[] = [];
  readonly #timer = setInterval(() => this.#read(), intervalMs).unref();

  constructor() {
    this.#read();
  }

  /** Takes the last reading. */
  stop(): void {
    clearInterval(this.#timer);
    this.#read();
  }

  /**
   * Intervals between readings that differ.
   * @param ofMachine over all cores of the machine, and not only those that this process may use
   * @returns undefined where the system has no such figures in µs
   */
  intervals(ofMachine: boolean): HostIntervals | undefined {
    const readings = this.#readings.map(({ cpu, ...at }) => ({ ...at, cpu: ofMachine ? (cpu.machine ?? cpu) : cpu }));
    const pairs = readings.slice(1).map((after, i) => [readings[i] as Reading, after] as const);
    const [first] = readings;
    // Only systems with this figure count in µs.
    if (!first || pairs.length === 0 || first.cpu.programs === undefined) return undefined;
    return {
      startUs: first.atUs,
      endUs: pairs.map(([, after]) => after.atUs),
      totalUs: pairs.map(([before, after]) => after.cpu.total - before.cpu.total),
      busyUs: pairs.map(([before, after]) => busyBetween(before.cpu, after.cpu)),
      programsUs: pairs.map(([before, after]) => (after.cpu.programs ?? 0) - (before.cpu.programs ?? 0)),
      ownUs: pairs.map(([before, after]) => after.ownUs - before.ownUs),
    };
  }

  #read(): void {
    const cpu = readHostCpu();
    if (!cpu || cpu.total <= (this.#readings.at(-1)?.cpu.total ?? 0)) return;
    const { user, system } = process.cpuUsage();
    this.#readings.push({ atUs: hostClock.nowUs(), cpu, ownUs: user + system });
  }
}

function busyBetween(before: HostCpu, after: HostCpu): number {
  const stolen = (after.stolen ?? 0) - (before.stolen ?? 0);
  return after.total - before.total - idleBetween(before, after) - stolen;
}
