/**
 * Spans of the sampled requests: where their time went in this role. Which requests are sampled is a function of the id, so
 * that all roles trace the same ones. Times are of the host's monotonic clock: spans of roles on one host line up.
 */
import type { Clock } from '@topo-bench/core/clock';
import type { Span, SpanKind } from '@topo-bench/core/control';
import { hash32 } from '@topo-bench/core/random';

// Beyond this nobody collects them: memory stays bounded.
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
    if (this.limit === 0 || hash32(`trace/${id}`) >= this.limit) return undefined;
    return this.clock.nowUs() - agoUs;
  }

  /** Records what began at `startUs` and ends now. */
  end(startUs: number | undefined, id: string, kind: SpanKind, service: string): void {
    if (startUs === undefined || this.spans.length >= maxSpans) return;
    // Clocks of different hosts do not line up; a message from another host may seem to come from the future.
    const durationUs = Math.max(0, this.clock.nowUs() - startUs);
    this.spans.push({ id, role: this.role, kind, service, startUs, durationUs });
  }

  /** Gives the spans since the last call and forgets them. */
  take(): Span[] {
    const { spans } = this;
    this.spans = [];
    return spans;
  }
}
