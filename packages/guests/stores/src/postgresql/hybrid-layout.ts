/**
 * The hybrid layout: the queried fields are columns, and all else is one JSONB document, queried by id and by
 * containment.
 */
import type { Item, ItemStatus } from '@topo-bench/core';
import { type Layout, toIsoTime } from './layout.ts';

interface Row {
  id: string;
  customer: string;
  status: ItemStatus;
  created_at: string;
  total_cents: number;
  document: Pick<Item, 'currency' | 'lines' | 'address' | 'note'>;
}

export const hybridLayout: Layout<Row> = {
  table: `CREATE TABLE items (
    id text COLLATE "C" PRIMARY KEY,
    customer text NOT NULL,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    total_cents integer NOT NULL,
    document jsonb NOT NULL
  )`,
  // New entries go to a pending list first (fastupdate, the server's default), so writes do not wait for the index.
  indexes: ['CREATE INDEX items_document ON items USING gin (document jsonb_path_ops)'],
  columns: ['id', 'customer', 'status', 'created_at', 'total_cents', 'document'],
  hasSku: (parameter) => `document @> ${parameter}::jsonb`,
  skuValue: (sku) => JSON.stringify({ lines: [{ sku }] }),
  toValues: ({ id, customer, status, createdAt, totalCents, ...document }) => [
    id,
    customer,
    status,
    createdAt,
    totalCents,
    JSON.stringify(document),
  ],
  toItem: ({ id, customer, status, created_at, total_cents, document }): Item => ({
    id,
    customer,
    status,
    createdAt: toIsoTime(created_at),
    currency: document.currency,
    totalCents: total_cents,
    lines: document.lines,
    address: document.address,
    note: document.note,
  }),
};
