/** The table of items: relational or hybrid. All other code for PostgreSQL serves both. */
import type { Item, StoreConfiguration } from '@topo-bench/core';
import { indexesOfQueriedFields } from '../relational-row.ts';
import { hybridLayout } from './hybrid-layout.ts';
import { relationalLayout } from './relational-layout.ts';

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

type AnyLayout = typeof relationalLayout | typeof hybridLayout;

export function layoutOf(configuration: StoreConfiguration): Layout<object> {
  const layout: AnyLayout = configuration.startsWith('hybrid') ? hybridLayout : relationalLayout;
  return layout as Layout<object>;
}

/** Statements that create the indexes of a filled table; none for the configurations without. */
export function indexesOf(configuration: StoreConfiguration): readonly string[] {
  return configuration.endsWith('-unindexed') ? [] : [...indexesOfQueriedFields, ...layoutOf(configuration).indexes];
}
