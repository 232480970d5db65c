/**
 * The registry of engines. A new engine needs a folder, a line here, and its name in `core/persistence.ts`: with its
 * configurations, or with none if it has heat maps alone.
 */
import type { StoreEngine } from '@topo-bench/core';
import { cassandra } from './cassandra/engine.ts';
import type { Engine, ItemModules } from './engine.ts';
import { ignite } from './ignite/engine.ts';
import { mongodb } from './mongodb/engine.ts';
import { mysql } from './mysql/engine.ts';
import { postgresql } from './postgresql/engine.ts';
import { redis } from './redis/engine.ts';

export const engines: Readonly<Record<StoreEngine, Engine>> = { postgresql, mysql, mongodb, redis, cassandra, ignite };

/** @throws Error for an engine of heat maps alone, which no configuration has */
export function itemsOf(engine: StoreEngine): ItemModules {
  const { items } = engines[engine];
  if (!items) throw new Error(`the engine ${engine} keeps no items`);
  return items;
}
