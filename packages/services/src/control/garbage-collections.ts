/**
 * Counts garbage collection pauses since the last reset. The observer starts with the first reset, not with the role: a
 * hundred roles start together. Node.js reports a collection one event loop turn after it.
 */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { CollectionPauses } from '@topo-bench/core';

/** A collection as Node.js reports it. Times are in ms since the process started. */
export interface CollectionEntry {
  startTime: number;
  duration: number;
  detail?: unknown;
}

// V8 numbers the collectors of the young generation 1 and 2. The pauses of the other collectors start at 4.
const firstMajorKind = constants.NODE_PERFORMANCE_GC_MAJOR;

/** Called for each pause; times are in ms since the process started. */
export type OnPause = (kind: 'minor-collection' | 'major-collection', startMs: number, durationMs: number) => void;

export class GarbageCollections {
  readonly #onPause: OnPause;
  #observer: PerformanceObserver | undefined;
  #sinceMs = 0;
  #minor = noPauses();
  #major = noPauses();

  constructor(onPause: OnPause = () => undefined) {
    this.#onPause = onPause;
  }

  reset(): void {
    this.#sinceMs = performance.now();
    this.#minor = noPauses();
    this.#major = noPauses();
    if (this.#observer) return;
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.add(entry);
    });
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** Ignores a collection that began before the last reset. */
  add({ startTime, duration, detail }: CollectionEntry): void {
    if (startTime < this.#sinceMs) return;
    const { kind } = detail as { kind: number };
    const isMinor = kind < firstMajorKind;
    const pauses = isMinor ? this.#minor : this.#major;
    const pauseUs = duration * 1e3;
    pauses.count++;
    pauses.pauseUs += pauseUs;
    pauses.maxPauseUs = Math.max(pauses.maxPauseUs, pauseUs);
    this.#onPause(isMinor ? 'minor-collection' : 'major-collection', startTime, duration);
  }

  /** Undefined before the first reset. */
  get pauses(): { minor: CollectionPauses; major: CollectionPauses } | undefined {
    return this.#observer && { minor: this.#minor, major: this.#major };
  }

  close(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }
}

function noPauses(): CollectionPauses {
  return { count: 0, pauseUs: 0, maxPauseUs: 0 };
}
