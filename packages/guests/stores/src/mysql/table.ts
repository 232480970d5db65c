/** The table of items in MariaDB and MySQL. */
import type { Item, ItemLine, StoreConfiguration } from '@topo-bench/core';
import { indexesOfQueriedFields, type RelationalRow, rowColumns, rowItem, rowValues } from '../relational-row.ts';

export interface Row extends RelationalRow {
  item_lines: string;
}

/** `LINES` is a reserved word. Texts compare by bytes, as in every store. */
export const createTable = `CREATE TABLE items (
  id varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  customer varchar(64) NOT NULL,
  status varchar(16) NOT NULL,
  created_at datetime(3) NOT NULL,
  total_cents int NOT NULL,
  currency char(3) NOT NULL,
  item_lines json NOT NULL,
  address_name varchar(200) NOT NULL,
  street varchar(200) NOT NULL,
  city varchar(200) NOT NULL,
  postcode varchar(32) NOT NULL,
  country varchar(2) NOT NULL,
  note text NOT NULL
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`;

/** In the order of `toValues`; the first is the id. */
export const columns = rowColumns('item_lines');

/** Statements that create the indexes; none for the configuration without. */
export function indexesOf(configuration: StoreConfiguration): readonly string[] {
  return configuration === 'sql-unindexed' ? [] : indexesOfQueriedFields;
}

export function toValues(item: Item): (string | number)[] {
  return rowValues(item, toSqlTime(item.createdAt));
}

export function toItem(row: Row): Item {
  return rowItem(row, toIsoTime(row.created_at), JSON.parse(row.item_lines) as ItemLine[]);
}

/** @param iso with milliseconds, in UTC */
export function toSqlTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** @param text as printed by the server; the driver omits a fraction of zero */
function toIsoTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20).padEnd(3, '0')}Z`;
}
