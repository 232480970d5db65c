/** A container engine: images, containers, networks, and what earlier runs left behind. */

export { labels } from '@topo-bench/core';
export * from './connect-engine.ts';
export * from './engine-address.ts';
export * from './engine-deadline.ts';
export * from './engine-facts.ts';
export * from './engine-failure.ts';
export * from './image/require-image.ts';
export * from './image/service-image.ts';
export * from './leftovers.ts';
export * from './owner.ts';
export * from './server-reach.ts';
export * from './tar-archive.ts';
