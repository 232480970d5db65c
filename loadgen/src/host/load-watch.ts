/** What the host, and groups of processes, used while a load ran: from its start to its end, without its drain. */
import { type HostCpu, type HostUse, hostUse, readHostCpu, readTreeUse, readUsedMemoryBytes } from '@topo-bench/host';
import { type GroupUse, type ReadGroups, UseRecorder } from './use-series.ts';

export interface Watched {
  /** Usage by name of the group; groups that cannot be read are left out. */
  groups?: ReadGroups;
  /**
   * CPU time in µs, since their start, of processes on this host that belong to the measurement and do not descend from
   * this process. With it, foreign programs are told apart; left out, not all processes of the measurement are known.
   */
  detachedCpuUs?: () => Promise<number>;
}

/** What a load watch has seen. */
export interface Watchings {
  /** Undefined where the system does not tell. */
  host: HostUse | undefined;
  /** By group. */
  use: Readonly<Record<string, GroupUse>>;
}

export class LoadWatch {
  readonly #watched: Watched;
  #before: HostReading | undefined;
  #after: HostReading | undefined;
  #recorder: UseRecorder | undefined;
  #use: Promise<Record<string, GroupUse>> | undefined;

  constructor(watched: Watched = {}) {
    this.#watched = watched;
  }

  begin(): void {
    const { groups } = this.#watched;
    this.#before = readHost(this.#watched);
    if (groups) this.#recorder = new UseRecorder(groups);
  }

  /** To be called however the load ended; the first call counts. */
  end(): void {
    this.#after ??= readHost(this.#watched);
    this.#use ??= this.#recorder?.stop();
  }

  /** Of the time between `begin` and `end`. */
  async watchings(): Promise<Watchings> {
    const [before, after] = [this.#before, this.#after];
    const use = hostUse(before?.cpu, after?.cpu, await ownCpuUs(before, after));
    const rssBytes = after?.rssBytes;
    return {
      host: use && { ...use, ...(rssBytes !== undefined && { rssBytes }) },
      use: (await this.#use) ?? {},
    };
  }
}

interface HostReading {
  cpu: HostCpu | undefined;
  /** Of this process and its descendants; read where all processes of the measurement are known. */
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

/** Of all processes of the measurement between two readings; undefined where not all of them are known. */
async function ownCpuUs(before: HostReading | undefined, after: HostReading | undefined): Promise<number | undefined> {
  if (before?.treeCpuUs === undefined || after?.treeCpuUs === undefined) return undefined;
  const [detachedBefore, detachedAfter] = [await before.detachedCpuUs, await after.detachedCpuUs];
  if (detachedBefore === undefined || detachedAfter === undefined) return undefined;
  return after.treeCpuUs - before.treeCpuUs + detachedAfter - detachedBefore;
}
