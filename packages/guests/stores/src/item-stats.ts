/** Converts aggregates per status from the databases' format into that of the port. */
import { type ItemStatus, itemStatuses } from '@topo-bench/core';
import type { ItemStats } from './item-query.ts';

/** @param rows statuses that have items, each once */
export function itemStats(rows: Iterable<{ status: ItemStatus; items: number; totalCents: number }>): ItemStats {
  const none = itemStatuses.map((status) => [status, { items: 0, totalCents: 0 }] as const);
  const stats: ItemStats = { items: 0, totalCents: 0, byStatus: Object.fromEntries(none) as ItemStats['byStatus'] };
  for (const { status, items, totalCents } of rows) {
    stats.items += items;
    stats.totalCents += totalCents;
    stats.byStatus[status] = { items, totalCents };
  }
  return stats;
}
