/** All database servers that a store study lacks are named at once, and the suggested choice is one that can run. */
import type { TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment';
import { resolveExperiment } from '@topo-bench/experiment';
import { runnersWith } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { expect, it } from 'vitest';
import { measuredBackend } from '../../src/measured-backend.ts';

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: e
topology: t.yaml
factors: { store: [sql-indexed, key-value, document], workload: [mixed, read-heavy] }
persistence: {}
load: { driver: autocannon }
`;
const topology = `apiVersion: topo-bench/v1
kind: Topology
name: t
services: [{ name: items, persistence: { store: sql-indexed, rows: 30 } }]
`;

const cellsOf = (choices: Choices = {}): ExperimentCell[] =>
  resolveExperiment(
    { experiment: { file: 'e.yaml', text: experiment }, topology: { file: 't.yaml', text: topology }, choices },
    studies,
  ).cells;

it('all missing servers are named, each with its way out, and the choice that leaves them out is accepted', async () => {
  const backend = measuredBackend({
    studies,
    runnerNamed: runnersWith({ serviceEntry: 'not started here' }),
    logsDir: '/none',
    serverUrls: { redis: 'redis://me:secret@127.0.0.1:1', mongodb: 'mongodb://me:secret@127.0.0.1:1/' },
  });
  const check = async (cells: ExperimentCell[]): Promise<TopoBenchError | undefined> => {
    try {
      await backend.check?.(cells, new AbortController().signal);
      return undefined;
    } catch (error) {
      return error as TopoBenchError;
    }
  };
  const cells = cellsOf();
  const error = await check(cells);
  expect(error).toMatchObject({ code: 'TB_STORE_UNREACHABLE', exitCode: 3 });
  expect(error?.message).toMatch(/^redis: the redis server .*\nmongodb: the mongodb server .*$/);
  expect(error?.message).not.toContain('secret');
  expect(error?.hint).toMatch(
    /^redis: start the server, .*; mongodb: start the server, .*; or leave them out with --only store=sql-indexed$/,
  );
  const left = cellsOf({ only: { store: ['sql-indexed'] } });
  expect(left).toHaveLength(2);
  expect(await check(left)).toBeUndefined();
  await backend.close?.();
});
