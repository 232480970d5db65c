/** Persistence: the port, what it keeps, and the way to open and to prepare a store. */
export * from './item.ts';
export * from './store.ts';
