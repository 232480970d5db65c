/**
 * Requests whose clients wait: each ends exactly once, by its outcome or by its deadline, and leaves nothing behind.
 */
import type { Call } from '../http/http-port.ts';

export interface PendingRequest {
  call: Call;
  /** When its last body byte was parsed, µs. */
  t0Us: number;
}

export class PendingRequests {
  private readonly open = new Map<string, PendingRequest & { timer: NodeJS.Timeout }>();

  constructor(
    private readonly deadlineMs: number,
    /** Called with a request that ran out of time; it is no longer pending then. */
    private readonly onDeadline: (id: string, request: PendingRequest) => void,
  ) {}

  get size(): number {
    return this.open.size;
  }

  has(id: string): boolean {
    return this.open.has(id);
  }

  add(id: string, request: PendingRequest): void {
    const timer = setTimeout(() => {
      this.open.delete(id);
      this.onDeadline(id, request);
    }, this.deadlineMs);
    this.open.set(id, { ...request, timer });
  }

  /** The request of that id, which is then no longer pending; undefined when it has ended before. */
  take(id: string): PendingRequest | undefined {
    const request = this.open.get(id);
    if (!request) return undefined;
    clearTimeout(request.timer);
    this.open.delete(id);
    return request;
  }
}
