/** What a role counts of its own work since the last reset. */
import type { RoleStats } from '@topo-bench/core/control';

export class RoleCounters {
  served = 0;
  /** Requests held now; not touched by a reset. */
  inFlight = 0;
  /** Reports that nobody waited for (any more). */
  ignoredReports = 0;
  decisions: RoleStats['decisions'] = { allow: 0, deny: 0, redact: 0, reroute: 0 };

  /** Rows of columns that were decided here, and bytes that rules withheld of them, by category. */
  columns = { rows: 0, exposureBytes: {} as Record<string, number> };

  reset(): void {
    this.served = 0;
    this.ignoredReports = 0;
    this.columns = { rows: 0, exposureBytes: {} };
    this.decisions = { allow: 0, deny: 0, redact: 0, reroute: 0 };
  }
}
