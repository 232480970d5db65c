/** Persistence: the port, what it keeps, and the way to open and to prepare a store. */
export * from './item.ts';
export * from './open-store.ts';
export * from './prepare-store.ts';
export * from './seeded-items.ts';
export * from './store.ts';
export * from './store-error.ts';
