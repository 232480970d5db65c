/** Queries on the items of a store, other than by id. */
import type { ItemStatus } from '@topo-bench/core';

/** Items must match all given fields. */
export interface ItemQuery {
  customer?: string;
  status?: ItemStatus;
  /** Items created at this time or later, in the format of `createdAt`. */
  from?: string;
  /** Items with a line of this article. */
  sku?: string;
  /** Max items in an answer. */
  limit: number;
  /** Position of the last item of the previous page. */
  after?: ItemPosition;
}

/**
 * Items are ordered by time of creation, then by id (in byte order). The order is total, so pages neither overlap nor
 * skip items.
 */
export interface ItemPosition {
  createdAt: string;
  id: string;
}

export interface ItemStats {
  items: number;
  totalCents: number;
  /** Statuses without items have a count of 0. */
  byStatus: Record<ItemStatus, { items: number; totalCents: number }>;
}
