/** Progress of a load while it runs: what each generator process did in the last interval, and all of them together. */
import { summarise } from '@topo-bench/stats';

/** Since the last report of the same process. Raw times: quantiles of several processes cannot be averaged. */
export interface PartProgress {
  errors: number;
  /** One per answered request, in µs from its intended send time. */
  responseTimesUs: Float64Array;
}

export interface LoadProgress {
  /** Answers per second over the interval. */
  answeredRps: number;
  /** Median of the answers in the interval; NaN without any. */
  medianUs: number;
  p95Us: number;
  /** Since the start. */
  errors: number;
}

/** Counts in a generator process, and reports every `intervalMs`. */
export class ProgressMeter {
  readonly #send: (progress: PartProgress) => void;
  readonly #timer: NodeJS.Timeout;
  #errors = 0;
  #timesUs: number[] = [];

  constructor(intervalMs: number, send: (progress: PartProgress) => void) {
    this.#send = send;
    this.#timer = setInterval(() => this.#report(), intervalMs);
  }

  answered(responseTimeUs: number): void {
    this.#timesUs.push(responseTimeUs);
  }

  failed(): void {
    this.#errors++;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #report(): void {
    this.#send({ errors: this.#errors, responseTimesUs: Float64Array.from(this.#timesUs) });
    this.#errors = 0;
    this.#timesUs = [];
  }
}

/** Joins the reports of all processes, interval by interval. */
export class JoinedProgress {
  #errors = 0;
  #parts: PartProgress[] = [];
  #sinceMs: number;

  /** @param nowMs start of the load */
  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  add(part: PartProgress): void {
    this.#parts.push(part);
    this.#errors += part.errors;
  }

  /** All that was added since the last call. */
  take(nowMs: number): LoadProgress {
    const times = this.#parts.flatMap(({ responseTimesUs }) => [...responseTimesUs]);
    const seconds = Math.max(1e-3, (nowMs - this.#sinceMs) / 1e3);
    this.#parts = [];
    this.#sinceMs = nowMs;
    const { medianUs, p95Us } = summarise(times);
    return { answeredRps: times.length / seconds, medianUs, p95Us, errors: this.#errors };
  }
}
