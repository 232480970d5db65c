/**
 * Requests that wait for their outcome. Each ends exactly once, by its outcome or by its deadline, and is then removed.
 */
import type { Call } from '../http/http-port.ts';

export interface PendingRequest {
  call: Call;
  /** Time at which its body was parsed, µs. */
  t0Us: number;
}

export class PendingRequests {
  private readonly open = new Map<string, PendingRequest & { timer: NodeJS.Timeout }>();

  constructor(
    private readonly deadlineMs: number,
    /** Called with a request that reached its deadline, after its removal. */
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

  /** Removes and returns the request; undefined if it has already ended. */
  take(id: string): PendingRequest | undefined {
    const request = this.open.get(id);
    if (!request) return undefined;
    clearTimeout(request.timer);
    this.open.delete(id);
    return request;
  }
}
