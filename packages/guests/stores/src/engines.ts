/**
 * The registry of engines. A new engine needs a folder, a line here, and its name in `core/persistence.ts`: with its
 * configurations, or with none if it has heat maps alone.
 */
import { type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { cassandra } from './cassandra/engine.ts';
import type { Engine, ItemModules } from './engine.ts';
import { hbase } from './hbase/engine.ts';
import { ignite } from './ignite/engine.ts';
import { mongodb } from './mongodb/engine.ts';
import { mysql } from './mysql/engine.ts';
import { postgresql } from './postgresql/engine.ts';
import { redis } from './redis/engine.ts';
import type { EngineImage } from './servers/engine-image.ts';

export const engines: Readonly<Record<StoreEngine, Engine>> = {
  postgresql,
  mysql,
  mongodb,
  redis,
  cassandra,
  ignite,
  hbase,
};

/** @throws Error for an engine of heat maps alone, which no configuration has */
export function itemsOf(engine: StoreEngine): ItemModules {
  const { items } = engines[engine];
  if (!items) throw new Error(`the engine ${engine} keeps no items`);
  return items;
}

/** @throws TopoBenchError `TB_STORE_NO_SERVER` for an engine that has no official image */
export function imageOf(engine: StoreEngine): EngineImage {
  const { image, flag, product } = engines[engine];
  if (image) return image;
  throw new TopoBenchError('TB_STORE_NO_SERVER', `${product} has no official container image, and others differ`, {
    hint: `leave out \`image\`; start the server yourself and specify it with ${flag}`,
  });
}
