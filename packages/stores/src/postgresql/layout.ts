/** How items lie in a table: relational or hybrid. Everything else about PostgreSQL is the same for both. */
import type { StoreConfiguration } from '@topo-bench/core/persistence';
import type { Item } from '../item.ts';
import { hybridLayout } from './hybrid-layout.ts';
import { relationalLayout } from './relational-layout.ts';

/** @typeParam Row a row as the driver gives it */
export interface Layout<Row> {
  table: string;
  /** Indexes beyond those of the queried fields, for the indexed configuration. */
  indexes: readonly string[];
  /** In the order of `toValues`; the first is the id. */
  columns: readonly string[];
  /** Condition: an item has a line of the article. @param parameter place of `skuValue`, e.g. `$2` */
  hasSku(parameter: string): string;
  skuValue(sku: string): string;
  toValues(item: Item): (string | number)[];
  toItem(row: Row): Item;
}

// Each ends with what lists are ordered by, so that a page is one range of an index.
const indexesOfQueriedFields = [
  'CREATE INDEX items_customer ON items (customer, created_at, id)',
  'CREATE INDEX items_status ON items (status, created_at, id)',
  'CREATE INDEX items_created_at ON items (created_at, id)',
];

type AnyLayout = typeof relationalLayout | typeof hybridLayout;

export function layoutOf(configuration: StoreConfiguration): Layout<object> {
  const layout: AnyLayout = configuration.startsWith('hybrid') ? hybridLayout : relationalLayout;
  return layout as Layout<object>;
}

/** Statements that index a filled table; none for the configurations without. */
export function indexesOf(configuration: StoreConfiguration): readonly string[] {
  return configuration.endsWith('-unindexed') ? [] : [...indexesOfQueriedFields, ...layoutOf(configuration).indexes];
}
