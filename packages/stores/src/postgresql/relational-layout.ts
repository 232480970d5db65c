/** The relational form: every scalar field of an item is a column, its lines a JSON column of the same row. */
import type { Item, ItemLine, ItemStatus } from '../item.ts';
import type { Layout } from './layout.ts';
import { toIsoTime } from './timestamps.ts';

interface Row {
  id: string;
  customer: string;
  status: ItemStatus;
  created_at: string;
  currency: string;
  total_cents: number;
  lines: ItemLine[];
  address_name: string;
  street: string;
  city: string;
  postcode: string;
  country: string;
  note: string;
}

export const relationalLayout: Layout<Row> = {
  table: `CREATE TABLE items (
    id text COLLATE "C" PRIMARY KEY,
    customer text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    total_cents integer NOT NULL,
    currency text NOT NULL,
    lines jsonb NOT NULL,
    address_name text NOT NULL,
    street text NOT NULL,
    city text NOT NULL,
    postcode text NOT NULL,
    country text NOT NULL,
    note text NOT NULL
  )`,
  indexes: [],
  columns: [
    'id',
    'customer',
    'status',
    'created_at',
    'total_cents',
    'currency',
    'lines',
    'address_name',
    'street',
    'city',
    'postcode',
    'country',
    'note',
  ],
  hasSku: (parameter) => `lines @> ${parameter}::jsonb`,
  skuValue: (sku) => JSON.stringify([{ sku }]),
  toValues: ({ id, customer, status, createdAt, totalCents, currency, lines, address, note }) => [
    id,
    customer,
    status,
    createdAt,
    totalCents,
    currency,
    JSON.stringify(lines),
    address.name,
    address.street,
    address.city,
    address.postcode,
    address.country,
    note,
  ],
  toItem: (row): Item => ({
    id: row.id,
    customer: row.customer,
    status: row.status,
    createdAt: toIsoTime(row.created_at),
    currency: row.currency,
    totalCents: row.total_cents,
    lines: row.lines,
    address: {
      name: row.address_name,
      street: row.street,
      city: row.city,
      postcode: row.postcode,
      country: row.country,
    },
    note: row.note,
  }),
};
