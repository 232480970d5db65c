/**
 * Spans of the sampled requests: where their time went in this role. Which requests are sampled is a function of the
 * id, so that all roles trace the same ones. Both ends of a span are readings of this process's clock. It is the host's
 * monotonic clock: spans of roles on one host line up.
 */
import type { Clock } from '@topo-bench/core/clock';
import type { Span, SpanKind } from '@topo-bench/core/control';
import { hash32 } from '@topo-bench/core/random';

// Bounds the memory of spans that are not collected.
const maxSpans = 200_000;

export class SpanRecorder {
  private spans: Span[] = [];
  private readonly limit: number;

  /** @param share of requests that are traced, 0…1 */
  constructor(
    private readonly role: string,
    share: number,
    private readonly clock: Clock,
  ) {
    this.limit = share * 2 ** 32;
  }

  /**
   * Now, if the request is traced; undefined otherwise, which makes `end` do nothing.
   * @param agoUs how long ago the interval began
   */
  start(id: string, agoUs = 0): number | undefined {
    return this.traces(id) ? this.clock.nowUs() - agoUs : undefined;
  }

  /** Whether the request is traced. */
  traces(id: string): boolean {
    return this.limit > 0 && hash32(`trace/${id}`) < this.limit;
  }

  /**
   * Records an interval that began at `startUs` and ends now.
   * @param exceptUs part of it that is not counted: the time that a receiver had the message, by its own clock
   */
  end(startUs: number | undefined, id: string, kind: SpanKind, service: string, exceptUs = 0): void {
    if (startUs === undefined || this.spans.length >= maxSpans) return;
    // Two clocks can differ in rate by some ppm.
    const durationUs = Math.max(0, this.clock.nowUs() - startUs - exceptUs);
    this.spans.push({ id, role: this.role, kind, service, startUs, durationUs });
  }

  /** Gives the spans since the last call and forgets them. */
  take(): Span[] {
    const { spans } = this;
    this.spans = [];
    return spans;
  }
}
