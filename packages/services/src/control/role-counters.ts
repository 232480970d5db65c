/** Work counters of a role since the last reset. */
import type { RoleStats } from '@topo-bench/core';
import type { FlowCounts } from '@topo-bench/flow';

/** Ids that a service remembers, twice: the older half is dropped when the younger one is full. */
const maxWorked = 50_000;
const maxRepeated = 1000;

export class RoleCounters implements FlowCounts {
  served = 0;
  /** Requests served before the last reset. */
  servedBefore = 0;
  /** Called for each request that begins. */
  onRequest: (() => void) | undefined;
  #inFlight = 0;
  /** Reports of requests or branches that had already ended. */
  ignoredReports = 0;
  decisions: RoleStats['decisions'] = { allow: 0, deny: 0, redact: 0, reroute: 0 };

  /** Requests on which this service worked more than once; the first thousand. */
  repeated: string[] = [];
  #worked = new Set<string>();
  #workedBefore = new Set<string>();

  /** Decided rows of columns, in total and by deciding rule, and withheld bytes by category. */
  columns = noColumns();

  /** Requests in flight; not affected by a reset. */
  get inFlight(): number {
    return this.#inFlight;
  }

  set inFlight(count: number) {
    if (count > this.#inFlight) this.onRequest?.();
    this.#inFlight = count;
  }

  works(id: string): void {
    const isRepeated = this.#worked.has(id) || this.#workedBefore.has(id);
    if (isRepeated && this.repeated.length < maxRepeated) this.repeated.push(id);
    this.#worked.add(id);
    if (this.#worked.size < maxWorked) return;
    this.#workedBefore = this.#worked;
    this.#worked = new Set();
  }

  reset(): void {
    this.repeated = [];
    this.#worked = new Set();
    this.#workedBefore = new Set();
    this.servedBefore += this.served;
    this.served = 0;
    this.ignoredReports = 0;
    this.columns = noColumns();
    this.decisions = { allow: 0, deny: 0, redact: 0, reroute: 0 };
  }
}

/** Without prototype: rule and category names are user-supplied and may equal those of inherited members. */
function noColumns(): NonNullable<RoleStats['columns']> {
  return { rows: 0, byRule: Object.create(null), exposureBytes: Object.create(null) };
}
