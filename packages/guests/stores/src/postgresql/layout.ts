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

/**
 * Converts times from PostgreSQL's format (ISO style, in UTC) to ISO 8601, without a Date object.
 * @param text e.g. `2026-03-01 12:00:00.25+00`
 * @returns e.g. `2026-03-01T12:00:00.250Z`
 */
export function toIsoTime(text: string): string {
  const fraction = text.charCodeAt(19) === dot ? text.slice(20, text.length - '+00'.length) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

const dot = '.'.charCodeAt(0);
