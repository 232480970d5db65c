/**
 * Records what this process does over time: CPU time and event loop by interval, and stalls with their times. A timer
 * that wakes late shows a stall, and the scheduler's figures show its reason. The memory is bounded. Nothing is sent.
 * An idle process has no timer: its wakes would be a cost of idle processes, and blur that of requests.
 */
import { performance } from 'node:perf_hooks';
import type { Clock, ProcessTimeline, TimelineEvent, TimelineEventKind } from '@topo-bench/core';
import { hostClock } from '../clock/host-clock.ts';
import { MainThreadTimes } from './main-thread-times.ts';

/** A stall of at least this length always delays the timer. More wakes would show more, and cost more. */
const tickUs = 50_000;
/** Timers of Node.js count whole milliseconds; shorter delays are usual on a busy host. */
const minStallUs = 5_000;
/** Shorter waits for a processor are usual: a sum of them is no stall. */
const minMeanWaitUs = 2_000;
/** A thread that ran or waited for this share of a tick, in two turns at most, stalled in one of them. */
const wholeTick = 0.8;
const turnsOfStall = 2;
const minPauseUs = 1_000;
const intervalUs = 250_000;
/** 17 minutes. */
const maxIntervals = 4096;
const maxEvents = 1024;

export interface TimelineRecorderOptions {
  clock?: Clock;
  /** Time in µs that a limit on CPU time has stopped this process so far; default: there is no limit. */
  throttledUs?: (() => number) | undefined;
}

/** Totals of the process at one moment. */
interface Totals {
  atUs: number;
  cpuUs: number;
  busyMs: number;
  throttledUs: number;
}

export class TimelineRecorder {
  readonly #clock: Clock;
  readonly #throttledUs: (() => number) | undefined;
  readonly #thread = new MainThreadTimes();
  #isOn = false;
  #timer: NodeJS.Timeout | undefined;
  /** Whether there was work since the last tick. */
  #isActive = false;
  #lastTickUs = 0;
  #lastTurns = 0;
  /** Totals at the end of the last interval, and when the process became idle. */
  #last: Totals = { atUs: 0, cpuUs: 0, busyMs: 0, throttledUs: 0 };
  #idleFrom: Totals | undefined;
  #delayUs = 0;
  /** Rings: the element of interval i is at i modulo their length. */
  readonly #endUs = new Float64Array(maxIntervals);
  readonly #cpu = new Float32Array(maxIntervals);
  readonly #busy = new Float32Array(maxIntervals);
  readonly #delay = new Float32Array(maxIntervals);
  readonly #throttled = new Float32Array(maxIntervals);
  #startUs = 0;
  #intervals = 0;
  #events: TimelineEvent[] = [];

  constructor({ clock = hostClock, throttledUs }: TimelineRecorderOptions = {}) {
    this.#clock = clock;
    this.#throttledUs = throttledUs;
  }

  /** Forgets earlier intervals and events; the first call starts the recording. */
  restart(): void {
    this.#thread.open();
    this.#isOn = true;
    this.#intervals = 0;
    this.#events = [];
    this.#stopTicks();
    this.#last = this.#totals();
    this.#idleFrom = this.#last;
    this.#startUs = this.#last.atUs;
    this.#delayUs = 0;
  }

  /** Call for every piece of work. Stalls are seen from the first one until a tick without any. */
  active(): void {
    this.#isActive = true;
    if (this.#timer || !this.#isOn) return;
    const now = this.#totals();
    const { atUs: idleFromUs } = this.#idleFrom ?? now;
    if (this.#idleFrom && now.atUs - idleFromUs >= intervalUs) {
      if (idleFromUs > this.#last.atUs) this.#endInterval(this.#idleFrom);
      this.#endInterval(now);
    }
    this.#idleFrom = undefined;
    this.#thread.read();
    this.#lastTickUs = now.atUs;
    this.#lastTurns = turnsOfLoop();
    this.#timer = setInterval(() => this.#tick(), tickUs / 1e3).unref();
  }

  /**
   * A pause for a garbage collection.
   * @param startMs as reported by Node.js, since the start of the process
   */
  addPause(kind: 'minor-collection' | 'major-collection', startMs: number, durationMs: number): void {
    if (durationMs * 1e3 < minPauseUs) return;
    const startUs = this.#clock.nowUs() - (performance.now() - startMs) * 1e3;
    this.#add({ kind, startUs, durationUs: durationMs * 1e3 });
  }

  /** Everything since the last restart. Undefined before the first one. */
  read(): ProcessTimeline | undefined {
    if (!this.#isOn) return undefined;
    if (this.#idleFrom && this.#idleFrom.atUs > this.#last.atUs) this.#endInterval(this.#idleFrom);
    const now = this.#totals();
    if (now.atUs > this.#last.atUs) this.#endInterval(now);
    if (this.#idleFrom) this.#idleFrom = now;
    const first = Math.max(0, this.#intervals - maxIntervals);
    const inOrder = (ring: Float64Array | Float32Array): number[] =>
      Array.from({ length: this.#intervals - first }, (_, at) =>
        Math.round(ring[(first + at) % maxIntervals] as number),
      );
    // The start of the oldest interval is the end of the one that was overwritten.
    const [endUs, cpuUs, busyUs, delayUs] = [this.#endUs, this.#cpu, this.#busy, this.#delay].map(inOrder) as [
      number[],
      number[],
      number[],
      number[],
    ];
    const from = first === 0 ? 0 : 1;
    return {
      startUs: first === 0 ? Math.round(this.#startUs) : (endUs[0] as number),
      endUs: endUs.slice(from),
      cpuUs: cpuUs.slice(from),
      busyUs: busyUs.slice(from),
      delayUs: delayUs.slice(from),
      ...(this.#throttledUs && { throttledUs: inOrder(this.#throttled).slice(from) }),
      events: longest(this.#events).map(rounded),
    };
  }

  close(): void {
    this.#stopTicks();
    this.#isOn = false;
    this.#thread.close();
  }

  #stopTicks(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const nowUs = this.#clock.nowUs();
    const gapUs = nowUs - this.#lastTickUs;
    const { cpuUs, waitUs, slices } = this.#thread;
    this.#thread.read();
    const [ranUs, waitedUs] = [this.#thread.cpuUs - cpuUs, this.#thread.waitUs - waitUs];
    const delayUs = gapUs - tickUs;
    if (delayUs >= minStallUs) this.#addStall(nowUs, gapUs, ranUs, waitedUs);
    else if (waitedUs >= Math.max(minStallUs, minMeanWaitUs * (this.#thread.slices - slices))) {
      this.#add({ kind: 'waiting', startUs: this.#lastTickUs, durationUs: waitedUs, withinUs: gapUs });
    }
    this.#delayUs = Math.max(this.#delayUs, delayUs);
    this.#lastTickUs = nowUs;
    this.#lastTurns = turnsOfLoop();
    if (nowUs - this.#last.atUs >= intervalUs) this.#endInterval(this.#totals());
    if (!this.#isActive) {
      this.#stopTicks();
      this.#idleFrom = this.#totals();
    }
    this.#isActive = false;
  }

  /** The stall began at an unknown moment of the tick before it: the delay is a lower bound. */
  #addStall(nowUs: number, gapUs: number, ranUs: number, waitedUs: number): void {
    const delayUs = gapUs - tickUs;
    const isWhole = turnsOfLoop() - this.#lastTurns <= turnsOfStall && ranUs + waitedUs >= wholeTick * gapUs;
    const durationUs = isWhole ? Math.min(gapUs, ranUs + waitedUs) : delayUs;
    this.#add({ kind: this.#stallKind(delayUs, ranUs, waitedUs), startUs: nowUs - durationUs, durationUs });
  }

  #stallKind(delayUs: number, ranUs: number, waitedUs: number): TimelineEventKind {
    if (!this.#thread.isKnown) return 'delayed';
    if (Math.max(ranUs, waitedUs) < delayUs / 2) return 'stopped';
    return ranUs >= waitedUs ? 'busy' : 'waiting';
  }

  #add(event: TimelineEvent): void {
    this.#events.push(event);
    if (this.#events.length >= 2 * maxEvents) this.#events = longest(this.#events);
  }

  #totals(): Totals {
    const { user, system } = process.cpuUsage();
    return {
      atUs: this.#clock.nowUs(),
      cpuUs: user + system,
      busyMs: performance.eventLoopUtilization().active,
      throttledUs: this.#throttledUs?.() ?? 0,
    };
  }

  #endInterval(now: Totals): void {
    const at = this.#intervals++ % maxIntervals;
    this.#endUs[at] = now.atUs;
    this.#cpu[at] = now.cpuUs - this.#last.cpuUs;
    this.#busy[at] = (now.busyMs - this.#last.busyMs) * 1e3;
    this.#throttled[at] = now.throttledUs - this.#last.throttledUs;
    this.#delay[at] = this.#delayUs;
    this.#delayUs = 0;
    this.#last = now;
  }
}

/** The longest events in their order. A long stall early in the load stays when many short pauses follow. */
function longest(events: readonly TimelineEvent[]): TimelineEvent[] {
  if (events.length <= maxEvents) return [...events];
  const kept = new Set([...events].sort((a, b) => b.durationUs - a.durationUs).slice(0, maxEvents));
  return events.filter((event) => kept.has(event));
}

/** Turns of the event loop so far. */
function turnsOfLoop(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

function rounded({ kind, startUs, durationUs, withinUs }: TimelineEvent): TimelineEvent {
  const event = { kind, startUs: Math.round(startUs), durationUs: Math.round(durationUs) };
  return withinUs === undefined ? event : { ...event, withinUs: Math.round(withinUs) };
}
