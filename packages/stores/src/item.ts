/** What a service keeps: an order of a customer, as JSON. The same shape in every store. */

export const itemStatuses = ['open', 'paid', 'shipped', 'delivered', 'returned', 'cancelled'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

export interface Item {
  /** 1…64 characters of `A-Z a-z 0-9 . _ -`. */
  id: string;
  customer: string;
  status: ItemStatus;
  /** ISO 8601 in UTC with milliseconds, e.g. `2026-03-01T12:00:00.000Z`. */
  createdAt: string;
  /** ISO 4217. */
  currency: string;
  totalCents: number;
  lines: ItemLine[];
  address: ItemAddress;
  note: string;
}

export interface ItemLine {
  sku: string;
  title: string;
  quantity: number;
  priceCents: number;
}

export interface ItemAddress {
  name: string;
  street: string;
  city: string;
  postcode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

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
