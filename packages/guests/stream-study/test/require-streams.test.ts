/** All that a machine lacks for a stream study is named at once, and the suggested choice is one that it can run. */

import type { TopoBenchError } from '@topo-bench/core';
import { type Choices, resolveExperiment } from '@topo-bench/experiment';
import { engines } from '@topo-bench/stores/engines';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreamTrial } from '../src/parts.ts';
import { StreamRun } from '../src/run.ts';

const nowhere = {
  postgresql: 'postgresql://me:secret@127.0.0.1:1/',
  mysql: 'mysql://me:secret@127.0.0.1:1/',
  redis: 'redis://127.0.0.1:1',
} as const;

const cellsOf = (lines: string, choices: Choices = {}): ExperimentCell[] => {
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\n${lines}\n`;
  return resolveExperiment({ experiment: { file: 'e.yaml', text }, choices }, studies).cells;
};
const requireCells = (cells: ExperimentCell[], serverUrls: object = {}): Promise<void> =>
  new StreamRun({ serverUrls, logsDir: '/none' }).require(cells, new AbortController().signal);
const failureOf = async (cells: ExperimentCell[], serverUrls: object): Promise<TopoBenchError> =>
  requireCells(cells, serverUrls).then(
    () => expect.fail('nothing is missing'),
    (error: TopoBenchError) => error,
  );

/** The flags at the end of a hint, as the command line reads them. */
function choiceIn({ hint = '' }: TopoBenchError): Choices {
  const flags = [...hint.matchAll(/--only (\S+?)=(\S+)/g)];
  return { only: Object.fromEntries(flags.map(([, factor = '', levels = '']) => [factor, levels.split(',')])) };
}

beforeEach(() => {
  for (const name of ['POSTGRES', 'MARIADB', 'REDIS', 'FLINK', 'HAZELCAST']) vi.stubEnv(`TOPO_BENCH_${name}_URL`, '');
});
afterEach(() => void vi.unstubAllEnvs());

describe('a run of streams', () => {
  it('without PostgreSQL names it for copies to other databases too, and suggests a choice that works', async ({
    skip,
  }) => {
    const { findServer } = await engines.mysql.server();
    if (process.env.CI !== 'true') skip((await findServer()) === undefined, 'no server of mysql is on this machine');
    const lines = 'stream: {}\nfactors: { database: [postgresql, mysql], job: [generate, copy] }';
    const error = await failureOf(cellsOf(lines), { postgresql: nowhere.postgresql });
    expect(error).toMatchObject({ code: 'TB_STORE_UNREACHABLE', exitCode: 3 });
    expect(error.message.match(/postgresql: the postgresql server/g)).toHaveLength(1);
    expect(error.hint).toMatch(/; or leave (it|them) out with --only database=mysql --only job=generate$/);
    const left = cellsOf(lines, choiceIn(error));
    expect(left.map(({ settings: { stream } }: StreamTrial) => [stream?.database, stream?.job])).toEqual([
      ['mysql', 'generate'],
    ]);
    await requireCells(left, { postgresql: nowhere.postgresql });
  });

  it('names databases, the grid and Flink together, each with its way out', async () => {
    const factors = 'database: [postgresql, mysql, redis], grid: [none, hazelcast], streamEngine: [embedded, flink]';
    const lines = `stream: {}\nfactors: { ${factors} }`;
    const { mysql, redis } = nowhere;
    const error = await failureOf(cellsOf(lines), { mysql, redis });
    expect(error.exitCode).toBe(3);
    const labels = error.message.split('\n').map((line) => line.replace(/:.*/, ''));
    expect(labels).toEqual(['mysql', 'redis', 'hazelcast', 'flink']);
    expect(error.message).not.toContain('secret');
    for (const way of [
      'mysql: start the server',
      'redis: start the server',
      'TOPO_BENCH_HAZELCAST_URL',
      '--flink-url',
    ]) {
      expect(error.hint).toContain(way);
    }
    const left = cellsOf(lines, choiceIn(error));
    expect(left.map(({ levels }) => levels)).toEqual([
      expect.objectContaining({ database: 'postgresql', grid: 'none' }),
    ]);
    await requireCells(left, { mysql, redis });
  });

  it('names two levels of one database that fail apart, each by itself', async () => {
    const levels = "'postgresql://127.0.0.1:1/a', 'postgresql://127.0.0.1:2/b', 'postgresql://127.0.0.1:2/c'";
    const lines = `stream: {}\nfactors: { stream.url: [${levels}] }`;
    const error = await failureOf(cellsOf(lines), {});
    expect(error.message).toMatch(/^postgresql \(127\.0\.0\.1:1\): .*\npostgresql \(127\.0\.0\.1:2\): .*$/);
    // No level is left.
    expect(error.hint).not.toContain('--only');
  });
});
