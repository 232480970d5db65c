/**
 * Maps each column of a layout to the fields of an item. Rules name fields; privileges in the database are granted on
 * columns.
 */
import type { StoreConfiguration } from '@topo-bench/core';
import { layoutOf } from './layouts.ts';

export interface ItemColumn {
  name: string;
  /** Names of fields as in JSON; several for a column of documents. */
  fields: readonly string[];
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  created_at: ['createdAt'],
  total_cents: ['totalCents'],
  address_name: ['address'],
  street: ['address'],
  city: ['address'],
  postcode: ['address'],
  country: ['address'],
  document: ['currency', 'lines', 'address', 'note'],
};

/** In the order of the table. */
export function columnsOfItems(configuration: StoreConfiguration): ItemColumn[] {
  return layoutOf(configuration).columns.map((name) => ({ name, fields: fieldsOf[name] ?? [name] }));
}
