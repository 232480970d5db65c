/** The layouts of the configurations that PostgreSQL holds, and their indexes. */
import type { StoreConfiguration } from '@topo-bench/core';
import { indexesOfQueriedFields } from '../relational-row.ts';
import { hybridLayout } from './hybrid-layout.ts';
import type { Layout } from './layout.ts';
import { relationalLayout } from './relational-layout.ts';

type AnyLayout = typeof relationalLayout | typeof hybridLayout;

export function layoutOf(configuration: StoreConfiguration): Layout<object> {
  const layout: AnyLayout = configuration.startsWith('hybrid') ? hybridLayout : relationalLayout;
  return layout as Layout<object>;
}

/** Statements that create the indexes of a filled table; none for the configurations without. */
export function indexesOf(configuration: StoreConfiguration): readonly string[] {
  return configuration.endsWith('-unindexed') ? [] : [...indexesOfQueriedFields, ...layoutOf(configuration).indexes];
}
