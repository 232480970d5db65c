/**
 * Items as rows of relational databases: every scalar field is a column, and the lines of an item are one JSON column.
 */
import type { Item, ItemLine, ItemStatus } from '@topo-bench/core';

/** A row from the driver, without the column of the lines. */
export interface RelationalRow {
  id: string;
  customer: string;
  status: ItemStatus;
  /** In the format of the database. */
  created_at: string;
  total_cents: number;
  currency: string;
  address_name: string;
  street: string;
  city: string;
  postcode: string;
  country: string;
  note: string;
}

/** Names in the order of `rowValues`; the first is the id. @param lines name of the JSON column */
export function rowColumns(lines: string): readonly string[] {
  const scalars = ['id', 'customer', 'status', 'created_at', 'total_cents', 'currency'];
  return [...scalars, lines, 'address_name', 'street', 'city', 'postcode', 'country', 'note'];
}

/** @param createdAt in the format of the database */
export function rowValues({ address, ...item }: Item, createdAt: string): (string | number)[] {
  return [
    item.id,
    item.customer,
    item.status,
    createdAt,
    item.totalCents,
    item.currency,
    JSON.stringify(item.lines),
    address.name,
    address.street,
    address.city,
    address.postcode,
    address.country,
    item.note,
  ];
}

/** @param createdAt ISO 8601 */
export function rowItem(row: RelationalRow, createdAt: string, lines: ItemLine[]): Item {
  return {
    id: row.id,
    customer: row.customer,
    status: row.status,
    createdAt,
    currency: row.currency,
    totalCents: row.total_cents,
    lines,
    address: {
      name: row.address_name,
      street: row.street,
      city: row.city,
      postcode: row.postcode,
      country: row.country,
    },
    note: row.note,
  };
}

/** Each ends with the order of lists, so that a page is one range of an index. */
export const indexesOfQueriedFields: readonly string[] = [
  'CREATE INDEX items_customer ON items (customer, created_at, id)',
  'CREATE INDEX items_status ON items (status, created_at, id)',
  'CREATE INDEX items_created_at ON items (created_at, id)',
];
