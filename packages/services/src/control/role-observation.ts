/** What a role adds to its own figures when it answers for another process too. */
import type { RoleStats } from '@topo-bench/core/control';

export interface RoleObservation {
  /** Counts from now on. */
  reset(): void;
  /** @param role the figures of this process */
  stats(role: RoleStats): RoleStats;
}
