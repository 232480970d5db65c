/** Options of servers and engines that no cell of an experiment uses. */
import { join } from 'node:path';
import { open } from '@topo-bench/workbench';
import { describe, expect, it } from 'vitest';
import { requireUsed } from '../src/used-options.ts';

async function refusalOf(experiment: string, set: Record<string, unknown>, flags: object): Promise<string | undefined> {
  const file = join(import.meta.dirname, '../../../experiments', `${experiment}.yaml`);
  const { resolved } = await open({ experiment: file }, { set });
  try {
    requireUsed(resolved.cells, flags);
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code} ${message}`;
  }
}

const redis = { redisUrl: 'redis://127.0.0.1' };
const postgres = { postgresUrl: 'postgresql://127.0.0.1/' };
const flink = { flinkUrl: 'http://127.0.0.1:8081' };

describe('an option of a server or an engine', () => {
  it.each<[string, Record<string, unknown>, object, string]>([
    ['quickstart', {}, { image: 'mine' }, '--image'],
    ['quickstart', {}, { context: 'far' }, '--context'],
    ['quickstart', {}, { baseImage: 'node' }, '--base-image'],
    ['quickstart', {}, redis, '--redis-url'],
    ['quickstart', {}, flink, '--flink-url'],
    ['persistence-small', {}, redis, '--redis-url'],
    ['persistence-small', {}, flink, '--flink-url'],
    ['persistence-small', {}, { context: 'far' }, '--context'],
    ['stream-small', { 'stream.database': 'redis' }, postgres, '--postgres-url'],
    ['stream-small', { 'stream.database': 'redis' }, flink, '--flink-url'],
    ['data-access-small', { 'access.source': 'parquet' }, postgres, '--postgres-url'],
    ['data-access-small', { 'access.variant': 'native' }, { image: 'mine' }, '--image'],
  ])('of %s with %j and %j is refused where no cell uses it', async (experiment, set, flags, flag) => {
    expect(await refusalOf(experiment, set, flags)).toContain(`TB_USAGE ${flag} has no effect`);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['quickstart', { runner: 'docker' }, { image: 'mine', context: 'far', baseImage: 'node' }],
    ['persistence-small', {}, postgres],
    ['stream-small', { 'stream.database': 'redis' }, redis],
    ['stream-small', { 'stream.database': 'redis', 'stream.engine': 'flink' }, flink],
    ['stream-small', { 'stream.database': 'redis', 'stream.job': 'copy' }, postgres],
    ['data-access-small', { 'access.source': 'postgresql' }, postgres],
    ['data-access-small', { 'access.variant': 'flight-container' }, { image: 'mine' }],
  ])('of %s with %j and %j is taken', async (experiment, set, flags) => {
    expect(await refusalOf(experiment, set, flags)).toBeUndefined();
  });
});
