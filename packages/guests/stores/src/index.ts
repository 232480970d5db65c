/** Persistence: the port, its items, the engines, and how to open and prepare a store. */
export * from './engine.ts';
export * from './engines.ts';
export * from './item-query.ts';
export * from './open-store.ts';
export { columnsOfItems, type ItemColumn } from './postgresql/columns-of-items.ts';
export { openSqlSource } from './postgresql/reader/sql-source.ts';
export * from './prepare-store.ts';
export * from './store.ts';
export * from './store-error.ts';
