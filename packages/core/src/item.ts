/** The item that a service keeps: a customer's order, as JSON. All stores and the workload share its shape. */
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
