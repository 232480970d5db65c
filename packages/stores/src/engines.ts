/**
 * The registry of engines. A new engine needs a folder, a line here, and its configurations in `core/persistence.ts`.
 */
import type { StoreEngine } from '@topo-bench/core';
import type { Engine } from './engine.ts';
import { mongodb } from './mongodb/engine.ts';
import { mysql } from './mysql/engine.ts';
import { postgresql } from './postgresql/engine.ts';
import { redis } from './redis/engine.ts';

export const engines: Readonly<Record<StoreEngine, Engine>> = { postgresql, mysql, mongodb, redis };
