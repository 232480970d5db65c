/** Persistence: the port, its items, the engines, and how to open and prepare a store. */
export * from './engine.ts';
export * from './engines.ts';
export * from './item-query.ts';
export * from './open-sql-source.ts';
export * from './open-store.ts';
export * from './prepare-store.ts';
export * from './store.ts';
export * from './store-error.ts';
