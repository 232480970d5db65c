/** CPU and memory of groups of processes over a load: evenly spaced readings, and their means. */

/** Resource use of the processes of a group. */
export interface GroupReading {
  processes: number;
  /** CPU time since their start. */
  cpuUs: number;
  /** Current memory. */
  rssBytes: number;
  /** Proportional set size: memory shared by processes counts in parts. */
  pssBytes?: number;
}

/**
 * Reads groups of processes, without groups that cannot be read.
 * @param options `pss`: also read the proportional set size, which takes a ms or more for each process
 */
export type ReadGroups = (options: { pss: boolean }) => Promise<Readonly<Record<string, GroupReading>>>;

export interface UseSeries {
  /** End of each interval, ms since the start. */
  atMs: number[];
  /** CPU over the interval; 100 is one core busy all the time. */
  cpuPercent: number[];
  /** Memory at the end of the interval. */
  rssBytes: number[];
}

export interface GroupUse {
  processes: number;
  /** CPU over the whole load. */
  cpuPercent: number;
  /** Mean of the readings. */
  rssBytes: number;
  pssBytes?: number;
  series: UseSeries;
}

const intervalMs = 500;

export class UseRecorder {
  readonly #readGroups: ReadGroups;
  readonly #first: Promise<Readonly<Record<string, GroupReading>>>;
  readonly #last = new Map<string, GroupReading>();
  readonly #series = new Map<string, UseSeries>();
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  /** Readings must not overlap: each is a difference to the previous one. */
  #reading: Promise<void>;
  #lastMs = this.#startMs;

  /** Reads at once, and then at equal intervals. */
  constructor(readGroups: ReadGroups) {
    this.#readGroups = readGroups;
    this.#first = this.#readAll(false);
    this.#reading = this.#begin();
    this.#timer = setInterval(() => {
      this.#reading = this.#reading.then(() => this.#read(false));
    }, intervalMs);
  }

  /** Takes the last reading. Must be called at most once. */
  async stop(): Promise<Record<string, GroupUse>> {
    clearInterval(this.#timer);
    await this.#reading;
    await this.#read(true);
    const first = await this.#first;
    return Object.fromEntries(
      [...this.#series].map(([name, series]) => [name, this.#groupUse(name, first[name] as GroupReading, series)]),
    );
  }

  async #begin(): Promise<void> {
    for (const [name, reading] of Object.entries(await this.#first)) {
      this.#last.set(name, reading);
      this.#series.set(name, { atMs: [], cpuPercent: [], rssBytes: [] });
    }
  }

  async #read(pss: boolean): Promise<void> {
    const nowMs = performance.now();
    const readings = await this.#readAll(pss);
    for (const [name, series] of this.#series) {
      const before = this.#last.get(name) as GroupReading;
      // The CPU time of a process that has just ended is missing until its parent has waited for it.
      const reading = readings[name] ?? { ...before, rssBytes: 0 };
      series.atMs.push(Math.round(nowMs - this.#startMs));
      series.cpuPercent.push(percent(reading.cpuUs - before.cpuUs, nowMs - this.#lastMs));
      series.rssBytes.push(reading.rssBytes);
      this.#last.set(name, reading);
    }
    this.#lastMs = nowMs;
  }

  #readAll(pss: boolean): ReturnType<ReadGroups> {
    return this.#readGroups({ pss }).catch(() => ({}));
  }

  #groupUse(name: string, first: GroupReading, series: UseSeries): GroupUse {
    const { processes, cpuUs, pssBytes } = this.#last.get(name) as GroupReading;
    return {
      processes,
      cpuPercent: percent(cpuUs - first.cpuUs, this.#lastMs - this.#startMs),
      rssBytes: Math.round(series.rssBytes.reduce((sum, value) => sum + value, 0) / series.rssBytes.length),
      ...(pssBytes !== undefined && { pssBytes }),
      series,
    };
  }
}

function percent(cpuUs: number, ms: number): number {
  // A µs per ms is a tenth of a percent; rounded to two decimals.
  return Math.max(0, Math.round((cpuUs / Math.max(1, ms)) * 10) / 100);
}
