/** The table of items: relational or hybrid. All other code for PostgreSQL serves both. */
import type { Item } from '@topo-bench/core';

/** @typeParam Row a row as the driver returns it */
export interface Layout<Row> {
  table: string;
  /** Indexes of the indexed configuration, in addition to those of the queried fields. */
  indexes: readonly string[];
  /** In the order of `toValues`; the first is the id. */
  columns: readonly string[];
  /** Condition: an item has a line of the article. @param parameter place of `skuValue`, e.g. `$2` */
  hasSku(parameter: string): string;
  skuValue(sku: string): string;
  toValues(item: Item): (string | number)[];
  toItem(row: Row): Item;
}
