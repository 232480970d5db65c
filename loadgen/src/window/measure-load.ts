/**
 * The load window: what is reset, read and recorded around a load, in this order. Every load that is measured runs in
 * it, so that the figures of all studies cover the same time.
 *
 * 1. While the generators prepare, the systems under load are idle, and their usage is measured.
 * 2. Usage is read once the counters of the systems are reset: the window of their CPU time begins.
 * 3. Just before the first request, the watch of the host begins. The clock of events starts with the load.
 * 4. At the end of the load, the watch of the host ends, and no further event is applied.
 * 5. At the end of the drain usage is read, before results are collected: the window of CPU time ends.
 * 6. The counters of the systems are read before anything else is requested from them.
 */
import type { LoadEvent, LoadEventRecord, Phase } from '@topo-bench/trial';
import type { Driver, LoadObserver } from '../driver.ts';
import { LoadWatch, type Watched, type Watchings } from '../host/load-watch.ts';
import type { LoadJob } from '../load-job.ts';
import type { LoadResult } from '../load-result.ts';
import { EventSchedule } from './event-schedule.ts';
import type { ProcessUse, Usages } from './process-use.ts';
import { ProcessWatch } from './process-watch.ts';

/** A deployment or server whose processes are watched, and whose counters cover the window. */
export interface LoadedSystem<Stats> {
  /** Usage by group since the start of its processes. */
  usage(): Promise<Usages>;
  /** Zeroes its counters. */
  reset(): Promise<void>;
  /** Its counters since the reset. */
  stats(): Promise<Stats>;
}

/** `groups` and `detachedCpuUs` cover all systems. */
export interface LoadWindow<Stats> extends Watched {
  driver: Driver;
  job: LoadJob;
  /** Aborts the load. */
  signal?: AbortSignal | undefined;
  onPhase?: (phase: Phase) => void;
  observer?: Pick<LoadObserver, 'onStart' | 'onProgress' | 'onLoadEnd'>;
  /** Several for loads that take turns. Default: none. */
  systems?: readonly LoadedSystem<Stats>[];
  /** Whether generators warm the systems up while they prepare: then no idle usage is measured. Default: false. */
  warmsUp?: boolean;
  /** Applied while the load runs. Default: none. */
  events?: readonly LoadEvent[];
}

export interface SystemUse<Stats> {
  /** By group, from the reset of counters to the end of the drain. Empty where the host cannot read it. */
  processes: Record<string, ProcessUse>;
  stats: Stats;
  /** From the reset of counters until they were read. */
  windowUs: number;
}

export interface MeasuredLoad<Stats> extends Watchings {
  load: LoadResult;
  /** In the order of the systems. */
  systems: SystemUse<Stats>[];
  /** In the order of the events. */
  events: readonly LoadEventRecord[];
}

/**
 * @throws TopoBenchError as `Driver.run`, and `TB_LOAD_OUT_OF_RANGE` for an event outside of the load: then nothing has
 *   started. Rejects as the systems do. An event that fails is recorded, and rejects nothing
 */
export async function measureLoad<Stats = never>(window: LoadWindow<Stats>): Promise<MeasuredLoad<Stats>> {
  const { driver, job, signal, onPhase, observer, warmsUp = false, events = [] } = window;
  const schedule = new EventSchedule(events, { durationUs: job.durationUs, signal });
  const watch = new LoadWatch(window);
  const systems = (window.systems ?? []).map((system) => new SystemWindow(system));
  onPhase?.(warmsUp ? 'warm-up' : 'load');
  if (!warmsUp) for (const system of systems) system.idle(signal);
  try {
    const load = await driver.run(job, signal, {
      onReady: async () => {
        await Promise.all(systems.map((system) => system.ready(signal)));
      },
      onStart: (startAtUs) => {
        if (warmsUp) onPhase?.('load');
        watch.begin();
        schedule.start(startAtUs);
        observer?.onStart?.(startAtUs);
      },
      onProgress: (part) => observer?.onProgress?.(part),
      onLoadEnd: () => {
        schedule.endLoad();
        watch.end();
        observer?.onLoadEnd?.();
        onPhase?.('drain');
      },
      onDrained: () => {
        schedule.close();
        for (const system of systems) system.drained();
      },
    });
    onPhase?.('collect');
    const uses = await Promise.all(systems.map((system) => system.use()));
    return { load, ...(await watch.watchings(load)), systems: uses, events: schedule.records };
  } finally {
    schedule.close();
    watch.end();
  }
}

/** One system in the window. */
class SystemWindow<Stats> {
  readonly #system: LoadedSystem<Stats>;
  readonly #watch: ProcessWatch;
  #resetMs = performance.now();

  constructor(system: LoadedSystem<Stats>) {
    this.#system = system;
    this.#watch = new ProcessWatch(() => system.usage());
  }

  idle(signal: AbortSignal | undefined): void {
    this.#watch.idle(signal);
  }

  async ready(signal: AbortSignal | undefined): Promise<void> {
    await this.#watch.ready(signal, async () => {
      await this.#system.reset();
      this.#resetMs = performance.now();
    });
  }

  drained(): void {
    this.#watch.drained();
  }

  async use(): Promise<SystemUse<Stats>> {
    const processes = await this.#watch.use();
    const stats = await this.#system.stats();
    return { processes, stats, windowUs: (performance.now() - this.#resetMs) * 1e3 };
  }
}
