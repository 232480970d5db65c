/**
 * Opens the items of a service as an SQL source. Separate from `open-store.ts`, so that other services do not load it.
 */
export { columnsOfItems, type ItemColumn } from './postgresql/columns-of-items.ts';
export { openSqlSource, type SqlSourceOptions } from './postgresql/reader/sql-source.ts';
