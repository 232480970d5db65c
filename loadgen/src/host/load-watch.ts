/** What the host, and groups of processes on it, used while a load ran: from its start to its end, without its drain. */
import { type HostCpu, type HostUse, hostUse, readHostCpu, readTreeUse, readUsedMemoryBytes } from '@topo-bench/host';
import { type GroupUse, UseRecorder } from './use-series.ts';

export interface Watched {
  /** Process ids of the roots by name of the group, asked for when the load begins. */
  groups?: () => Readonly<Record<string, readonly number[]>>;
  /** Roots of all processes that belong to the measurement, so that others can be told apart. Left out: not all of them are known. */
  own?: readonly number[];
}

export class LoadWatch {
  readonly #watched: Watched;
  #before: HostReading | undefined;
  #after: HostReading | undefined;
  #recorder: UseRecorder | undefined;
  #use: Record<string, GroupUse> = {};

  constructor(watched: Watched = {}) {
    this.#watched = watched;
  }

  begin(): void {
    const { groups, own } = this.#watched;
    this.#before = readHost(own);
    if (groups) this.#recorder = new UseRecorder(groups());
  }

  /** To be called however the load ended; the first call counts. */
  end(): void {
    this.#after ??= readHost(this.#watched.own);
    this.#use = this.#recorder?.stop() ?? this.#use;
    this.#recorder = undefined;
  }

  /** Undefined before the end, and where the system does not tell. */
  get host(): HostUse | undefined {
    const [before, after] = [this.#before, this.#after];
    const ownUs = before?.ownUs === undefined || after?.ownUs === undefined ? undefined : after.ownUs - before.ownUs;
    const use = hostUse(before?.cpu, after?.cpu, ownUs);
    return use && { ...use, ...(after?.rssBytes !== undefined && { rssBytes: after.rssBytes }) };
  }

  /** By group; those that could not be read are missing. */
  get use(): Readonly<Record<string, GroupUse>> {
    return this.#use;
  }
}

interface HostReading {
  cpu: HostCpu | undefined;
  ownUs: number | undefined;
  rssBytes: number | undefined;
}

function readHost(own: readonly number[] | undefined): HostReading {
  return { cpu: readHostCpu(), ownUs: own && readTreeUse(own)?.cpuUs, rssBytes: readUsedMemoryBytes() };
}
