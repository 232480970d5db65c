/** Resource use of the host, and of groups of processes, from the start of a load to its end, without the drain. */
import type { HostIntervals, LoadFacts } from '@topo-bench/core';
import { type HostCpu, type HostUse, hostUse, readHostCpu, readTreeUse, readUsedMemoryBytes } from '@topo-bench/host';
import { HostRecorder } from './host-recorder.ts';
import { type GroupUse, type ReadGroups, UseRecorder } from './use-series.ts';

export interface Watched {
  /** Usage by name of the group, without groups that cannot be read. */
  groups?: ReadGroups;
  /**
   * CPU time in µs, since their start, of processes of the measurement on this host that do not descend from this
   * process. It separates foreign programs from our own. Absent: not all processes of the measurement are known.
   */
  detachedCpuUs?: () => Promise<number>;
}

/** The readings of a load watch. */
export interface Watchings {
  /** Undefined where the system has no such figures. */
  host: HostUse | undefined;
  /** The host over time; absent where the system has no such figures. */
  hostIntervals?: HostIntervals;
  /** By group. */
  use: Readonly<Record<string, GroupUse>>;
}

export class LoadWatch {
  readonly #watched: Watched;
  #before: HostReading | undefined;
  #after: HostReading | undefined;
  #recorder: UseRecorder | undefined;
  #hostRecorder: HostRecorder | undefined;
  #use: Promise<Record<string, GroupUse>> | undefined;

  constructor(watched: Watched = {}) {
    this.#watched = watched;
  }

  begin(): void {
    const { groups } = this.#watched;
    this.#before = readHost(this.#watched);
    this.#hostRecorder = new HostRecorder();
    if (groups) this.#recorder = new UseRecorder(groups);
  }

  /** Must be called however the load ended; only the first call counts. */
  end(): void {
    if (this.#after) return;
    this.#after = readHost(this.#watched);
    this.#hostRecorder?.stop();
    this.#use = this.#recorder?.stop();
  }

  /**
   * Resource use between `begin` and `end`.
   * @param load its generators in containers of this host are ours too
   */
  async watchings(load: Pick<LoadFacts, 'generatorRecords'> = {}): Promise<Watchings> {
    const [before, after] = [this.#before, this.#after];
    const contained = containedCpuUs(load);
    const own = await ownCpuUs(before, after);
    // Processes that do not descend from this one may use cores that it may not, and so may those that are not known.
    const ofMachine = contained > 0 || (await after?.detachedCpuUs) !== 0;
    const cpuOf = (reading?: HostReading) => (ofMachine && reading?.cpu?.machine) || reading?.cpu;
    const use = hostUse(cpuOf(before), cpuOf(after), own === undefined ? own : own + contained);
    const hostIntervals = this.#hostRecorder?.intervals(ofMachine);
    const rssBytes = after?.rssBytes;
    return {
      host: use && { ...use, ...(rssBytes !== undefined && { rssBytes }) },
      ...(hostIntervals && { hostIntervals }),
      use: (await this.#use) ?? {},
    };
  }
}

/** A generator that is no process of this one, but reads the same clock, runs on this host. */
function containedCpuUs({ generatorRecords = [] }: Pick<LoadFacts, 'generatorRecords'>): number {
  const contained = generatorRecords.filter(({ host, clock }) => host !== undefined && !clock);
  return contained.reduce((sum, { cpuUs }) => sum + cpuUs, 0);
}

interface HostReading {
  cpu: HostCpu | undefined;
  /** CPU time of this process and its descendants, read where all processes of the measurement are known. */
  treeCpuUs: number | undefined;
  detachedCpuUs: Promise<number | undefined> | undefined;
  rssBytes: number | undefined;
}

function readHost({ detachedCpuUs }: Watched): HostReading {
  return {
    cpu: readHostCpu(),
    treeCpuUs: detachedCpuUs && readTreeUse([process.pid])?.cpuUs,
    detachedCpuUs: detachedCpuUs?.().catch(() => undefined),
    rssBytes: readUsedMemoryBytes(),
  };
}

/** CPU time of all processes of the measurement between two readings; undefined where not all of them are known. */
async function ownCpuUs(before: HostReading | undefined, after: HostReading | undefined): Promise<number | undefined> {
  if (before?.treeCpuUs === undefined || after?.treeCpuUs === undefined) return undefined;
  const [detachedBefore, detachedAfter] = [await before.detachedCpuUs, await after.detachedCpuUs];
  if (detachedBefore === undefined || detachedAfter === undefined) return undefined;
  return after.treeCpuUs - before.treeCpuUs + detachedAfter - detachedBefore;
}
