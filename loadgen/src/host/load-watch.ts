/** What the host, and groups of processes on it, used while a load ran: from its start to its end, without its drain. */
import { type HostCpu, type HostUse, hostUse, readHostCpu } from '@topo-bench/host';
import { type GroupUse, UseRecorder } from './use-series.ts';

export class LoadWatch {
  readonly #groups: (() => Readonly<Record<string, readonly number[]>>) | undefined;
  #before: HostCpu | undefined;
  #after: HostCpu | undefined;
  #recorder: UseRecorder | undefined;
  #use: Record<string, GroupUse> = {};

  /** @param groups process ids of the roots by name of the group, asked for when the load begins; left out: the host alone */
  constructor(groups?: () => Readonly<Record<string, readonly number[]>>) {
    this.#groups = groups;
  }

  begin(): void {
    this.#before = readHostCpu();
    if (this.#groups) this.#recorder = new UseRecorder(this.#groups());
  }

  /** To be called however the load ended; the first call counts. */
  end(): void {
    this.#after ??= readHostCpu();
    this.#use = this.#recorder?.stop() ?? this.#use;
    this.#recorder = undefined;
  }

  /** Undefined before the end, and where the system does not tell. */
  get host(): HostUse | undefined {
    return hostUse(this.#before, this.#after);
  }

  /** By group; those that could not be read are missing. */
  get use(): Readonly<Record<string, GroupUse>> {
    return this.#use;
  }
}
