/** Applies events at their times on the clock of a load, and records when they were requested and took effect. */
import { setMaxListeners } from 'node:events';
import { formatUs, TopoBenchError } from '@topo-bench/core';
import { hostClock, sleepUntil } from '@topo-bench/host';
import type { LoadEvent, LoadEventOutcome, LoadEventRecord } from '@topo-bench/trial';

/** The clock of the load's start instant. */
export interface EventClock {
  nowUs(): number;
  /** Resolves at an instant, never before it. Rejects when the signal aborts. */
  sleepUntil(atUs: number, signal: AbortSignal): Promise<void>;
}

export interface EventScheduleOptions {
  durationUs: number;
  /** Aborts the load. */
  signal?: AbortSignal | undefined;
  /** Default: the clock of this host. */
  clock?: EventClock;
}

export class EventSchedule {
  readonly #events: readonly LoadEvent[];
  readonly #records: LoadEventRecord[];
  readonly #durationUs: number;
  readonly #clock: EventClock;
  /** Aborted at the end of the load. */
  readonly #due = new AbortController();
  /** Aborted at the end of the drain. */
  readonly #visible = new AbortController();
  readonly #signal: AbortSignal;
  #startAtUs = 0;

  /** @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE` for events outside of the load */
  constructor(
    events: readonly LoadEvent[],
    { durationUs, signal, clock = { nowUs: hostClock.nowUs, sleepUntil } }: EventScheduleOptions,
  ) {
    requireWithin(events, durationUs);
    this.#events = events;
    this.#records = events.map(({ atUs, name }) => ({ atUs, name, outcome: 'skipped' }));
    this.#durationUs = durationUs;
    this.#clock = clock;
    this.#signal = AbortSignal.any([this.#visible.signal, ...(signal ? [signal] : [])]);
    // One listener for each event in progress is not a leak.
    setMaxListeners(0, this.#signal);
  }

  /** @param startAtUs begin of the load on the clock */
  start(startAtUs: number): void {
    this.#startAtUs = startAtUs;
    this.#applyInTurn().catch(() => undefined);
  }

  /** The load has ended: no further event is applied. Those in progress may still take effect. */
  endLoad(): void {
    this.#due.abort();
  }

  /** The drain has ended: events in progress are aborted. Their later effects are not recorded. */
  close(): void {
    this.endLoad();
    this.#visible.abort();
  }

  /** In the order of the events. */
  get records(): readonly LoadEventRecord[] {
    return this.#records;
  }

  /** Waits for one event after the other, and for the effect of none. Events of one time keep their order. */
  async #applyInTurn(): Promise<void> {
    const until = AbortSignal.any([this.#due.signal, this.#signal]);
    const inOrder = [...this.#events.entries()].sort(([, a], [, b]) => a.atUs - b.atUs);
    for (const [place, event] of inOrder) {
      await this.#clock.sleepUntil(this.#startAtUs + event.atUs, until);
      if (until.aborted || this.#nowUs() >= this.#durationUs) return;
      void this.#apply(place, event);
    }
  }

  async #apply(place: number, event: LoadEvent): Promise<void> {
    const { atUs, name } = event;
    const requestedUs = this.#nowUs();
    const record = (outcome: LoadEventOutcome): void => {
      if (!this.#signal.aborted) this.#records[place] = { atUs, name, ...outcome };
    };
    record({ outcome: 'unfinished', requestedUs });
    try {
      await event.apply(this.#signal);
      record({ outcome: 'effective', requestedUs, effectiveUs: this.#nowUs() });
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      record({ outcome: 'failed', requestedUs, failedUs: this.#nowUs(), error: failure });
    }
  }

  #nowUs(): number {
    return this.#clock.nowUs() - this.#startAtUs;
  }
}

function requireWithin(events: readonly LoadEvent[], durationUs: number): void {
  const outside = events.filter(({ atUs }) => !(atUs >= 0 && atUs < durationUs));
  if (outside.length === 0) return;
  const times = outside.map(({ atUs, name }) => `event ${JSON.stringify(name)} is at ${formatUs(atUs)}`);
  const message = `${times.join(', ')}, expected a time from 0 to before the end of the load at ${formatUs(durationUs)}`;
  throw new TopoBenchError('TB_LOAD_OUT_OF_RANGE', message, { hint: 'choose earlier times, or a longer load' });
}
