/** What a store is asked about its items, other than by id. */
import type { ItemStatus } from '@topo-bench/core';

/** All given fields must match. */
export interface ItemQuery {
  customer?: string;
  status?: ItemStatus;
  /** Items created at this time or later (`createdAt`'s form). */
  from?: string;
  /** Items with a line of this article. */
  sku?: string;
  /** Items in an answer at most. */
  limit: number;
  /** Position after which to go on: that of the last item of the page before. */
  after?: ItemPosition;
}

/** Items are listed by time of creation, then by id (in byte order): a total order, so pages neither overlap nor skip. */
export interface ItemPosition {
  createdAt: string;
  id: string;
}

export interface ItemStats {
  items: number;
  totalCents: number;
  /** Statuses without items are there with 0. */
  byStatus: Record<ItemStatus, { items: number; totalCents: number }>;
}
