/** Figures of a second process that a role reports with its own. */
import type { RoleStats } from '@topo-bench/core';

export interface RoleObservation {
  /** Restarts the count. */
  reset(): void;
  /** @param role the figures of this process */
  stats(role: RoleStats): RoleStats;
}
