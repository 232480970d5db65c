/** CPU and memory of groups of processes over a load, as series of evenly spaced readings, with their means. */
import { readTreePssBytes, readTreeUse, type TreeUse } from '@topo-bench/host';

export interface UseSeries {
  /** End of each interval, ms since the start. */
  atMs: number[];
  /** Over the interval; 100 is one core busy all the time. */
  cpuPercent: number[];
  /** At the end of the interval. */
  rssBytes: number[];
}

export interface GroupUse {
  processes: number;
  /** Over the whole load. */
  cpuPercent: number;
  /** Mean of the readings. */
  rssBytes: number;
  pssBytes?: number;
  series: UseSeries;
}

const intervalMs = 500;

export class UseRecorder {
  readonly #groups: Readonly<Record<string, readonly number[]>>;
  readonly #first = new Map<string, TreeUse>();
  readonly #last = new Map<string, TreeUse>();
  readonly #series = new Map<string, UseSeries>();
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #lastMs = this.#startMs;

  /** @param groups process ids of the roots by name of the group; groups that cannot be read are left out */
  constructor(groups: Readonly<Record<string, readonly number[]>>) {
    this.#groups = groups;
    for (const [name, roots] of Object.entries(groups)) {
      const use = readTreeUse(roots);
      if (!use) continue;
      this.#first.set(name, use);
      this.#last.set(name, use);
      this.#series.set(name, { atMs: [], cpuPercent: [], rssBytes: [] });
    }
    this.#timer = setInterval(() => this.#read(), intervalMs);
  }

  /** The last reading. May be called once. */
  stop(): Record<string, GroupUse> {
    clearInterval(this.#timer);
    this.#read();
    return Object.fromEntries([...this.#series].map(([name, series]) => [name, this.#groupUse(name, series)]));
  }

  #read(): void {
    const nowMs = performance.now();
    for (const [name, series] of this.#series) {
      const before = this.#last.get(name) as TreeUse;
      // A process that has just ended takes its share along until its parent has waited for it.
      const use = readTreeUse(this.#groups[name] ?? []) ?? { ...before, rssBytes: 0 };
      series.atMs.push(Math.round(nowMs - this.#startMs));
      series.cpuPercent.push(percent(use.cpuUs - before.cpuUs, nowMs - this.#lastMs));
      series.rssBytes.push(use.rssBytes);
      this.#last.set(name, use);
    }
    this.#lastMs = nowMs;
  }

  #groupUse(name: string, series: UseSeries): GroupUse {
    const [first, last] = [this.#first.get(name) as TreeUse, this.#last.get(name) as TreeUse];
    const pssBytes = readTreePssBytes(this.#groups[name] ?? []);
    return {
      processes: last.processes,
      cpuPercent: percent(last.cpuUs - first.cpuUs, this.#lastMs - this.#startMs),
      rssBytes: Math.round(series.rssBytes.reduce((sum, value) => sum + value, 0) / series.rssBytes.length),
      ...(pssBytes !== undefined && { pssBytes }),
      series,
    };
  }
}

function percent(cpuUs: number, ms: number): number {
  // A µs per ms is a tenth of a percent; kept to two decimals.
  return Math.max(0, Math.round((cpuUs / Math.max(1, ms)) * 10) / 100);
}
