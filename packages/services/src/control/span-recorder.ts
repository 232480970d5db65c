/**
 * Records spans of the sampled requests: where their time went in this role. Sampling depends on the request id alone,
 * so all roles trace the same requests. Both ends of a span are readings of the host's monotonic clock. Spans of roles
 * on one host are therefore comparable.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, hash32, headers as headerNames, type Span, type SpanKind, type SpanPlace } from '@topo-bench/core';

// Memory limit for spans that are not collected.
const maxSpans = 400_000;

/** The request of a client, which comes from no role. */
export const atClient: SpanPlace = { hop: 0 };

export class SpanRecorder {
  private spans: Span[] = [];
  private readonly limit: number;
  private messages = 0;

  /** @param share fraction of requests to trace, 0…1 */
  constructor(
    private readonly role: string,
    share: number,
    private readonly clock: Clock,
  ) {
    this.limit = share * 2 ** 32;
  }

  /**
   * Start time of a span; undefined if the request is not traced. `end` ignores undefined.
   * @param agoUs how long ago the interval began
   */
  start(id: string, agoUs = 0): number | undefined {
    return this.traces(id) ? this.clock.nowUs() - agoUs : undefined;
  }

  /** Whether the request is traced. */
  traces(id: string): boolean {
    return this.limit > 0 && hash32(`trace/${id}`) < this.limit;
  }

  /** Where the handling of a message from another role stands. */
  placeOf(headers: IncomingHttpHeaders): SpanPlace {
    const [, hop, parent] = /^(\d{1,9}) (.+)$/.exec(String(headers[headerNames.span] ?? '')) ?? [];
    return parent === undefined ? atClient : { hop: Number(hop), parent };
  }

  /** Names a message that is sent in the handling of another one. */
  next({ hop, parent }: SpanPlace): SpanPlace {
    return { hop: hop + 1, message: `${this.role}/${++this.messages}`, ...(parent !== undefined && { parent }) };
  }

  /**
   * Records an interval from `startUs` to now.
   * @param exceptUs part to subtract: the time at the receiver, by its own clock
   */
  end(
    startUs: number | undefined,
    id: string,
    kind: SpanKind,
    service: string,
    place: SpanPlace | undefined,
    exceptUs = 0,
  ): void {
    if (startUs === undefined || this.spans.length >= maxSpans) return;
    // The rates of two clocks can differ by some ppm.
    const durationUs = Math.max(0, this.clock.nowUs() - startUs - exceptUs);
    this.spans.push({ id, role: this.role, kind, service, ...place, startUs, durationUs });
  }

  /** Returns and clears the spans recorded since the last call. */
  take(): Span[] {
    const { spans } = this;
    this.spans = [];
    return spans;
  }
}
