/** The databases that the job writes to, by their protocol. */
import type { StoreEngine } from '@topo-bench/core';
import type { FlinkDatabase } from './database.ts';
import { mongodb } from './mongodb.ts';
import { mysql } from './mysql.ts';
import { postgresql } from './postgresql.ts';
import { redis } from './redis.ts';

export const flinkDatabases: Readonly<Partial<Record<StoreEngine, FlinkDatabase>>> = {
  postgresql,
  mysql,
  mongodb,
  redis,
};

/** @throws Error for a database that the job does not write to: an experiment leaves it out */
export function flinkDatabase(engine: StoreEngine): FlinkDatabase {
  const database = flinkDatabases[engine];
  if (!database) throw new Error(`jobs on Flink do not write to ${engine}`);
  return database;
}
