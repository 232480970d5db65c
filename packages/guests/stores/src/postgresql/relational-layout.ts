/**
 * The relational layout: every scalar field of an item is a column, and its lines are a JSON column of the same row.
 */
import type { ItemLine } from '@topo-bench/core';
import { type RelationalRow, rowColumns, rowItem, rowValues } from '../relational-row.ts';
import { type Layout, toIsoTime } from './layout.ts';

interface Row extends RelationalRow {
  lines: ItemLine[];
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
  columns: rowColumns('lines'),
  hasSku: (parameter) => `lines @> ${parameter}::jsonb`,
  skuValue: (sku) => JSON.stringify([{ sku }]),
  toValues: (item) => rowValues(item, item.createdAt),
  toItem: (row) => rowItem(row, toIsoTime(row.created_at), row.lines),
};
