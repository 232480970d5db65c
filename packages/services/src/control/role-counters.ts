/** What a role counts of its own work since the last reset. */
import type { RoleStats } from '@topo-bench/core/control';

export class RoleCounters {
  served = 0;
  /** Requests served before the last reset. */
  servedBefore = 0;
  /** Requests held now; not touched by a reset. */
  inFlight = 0;
  /** Reports of requests or branches that had ended. */
  ignoredReports = 0;
  decisions: RoleStats['decisions'] = { allow: 0, deny: 0, redact: 0, reroute: 0 };

  /**
   * Rows of columns that were decided here, by the rule that decided too, and bytes that rules withheld of them, by
   * category.
   */
  columns = noColumns();

  reset(): void {
    this.servedBefore += this.served;
    this.served = 0;
    this.ignoredReports = 0;
    this.columns = noColumns();
    this.decisions = { allow: 0, deny: 0, redact: 0, reroute: 0 };
  }
}

/** Names are those of users: none of them is a member already. */
function noColumns(): NonNullable<RoleStats['columns']> {
  return { rows: 0, byRule: Object.create(null), exposureBytes: Object.create(null) };
}
