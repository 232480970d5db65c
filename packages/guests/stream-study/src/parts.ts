/** What a stream study adds to experiment files, factors, cells and `run.json`. */

import type { FactorLevel } from '@topo-bench/core';
import type { SettingsWith } from '@topo-bench/core/schema/experiment';
import type { CellWith } from '@topo-bench/core/schema/result';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import type { ExperimentCell } from '@topo-bench/trial';
import { z } from 'zod';
import { streamResult } from './payload-schema.ts';
import { stream } from './settings-schema.ts';

const counted = (unit: string) => ({
  unit,
  describe: (level: FactorLevel) => `${Number(level).toLocaleString('en-US')} ${unit}`,
});

const recordedTracks = z
  .array(
    z.strictObject({
      path: z.string().meta({ description: 'As written: relative to the experiment file.' }),
      sha256: z.string(),
      points: z.int(),
    }),
  )
  .meta({ description: 'GPX files of a stream study; a resumed run must find the same. Absent without any.' });

export const parts = joinStudy({
  kind: 'stream',
  factors: {
    database: { scope: 'experiment', path: 'stream.database', describe: String },
    streamEngine: {
      scope: 'experiment',
      path: 'stream.engine',
      describe: (level) => (level === 'flink' ? 'on Flink' : `on the ${level} engine`),
    },
    windows: {
      scope: 'experiment',
      path: 'stream.windows',
      describe: (level) => (level === 'none' ? 'no windows' : `windows of ${level}`),
    },
    grid: {
      scope: 'experiment',
      path: 'stream.grid',
      describe: (level) => (level === 'none' ? 'no grid' : `behind ${level}`),
    },
    job: { scope: 'experiment', path: 'stream.job', describe: (level) => String(level).replace('-', ' ') },
    entries: { scope: 'experiment', path: 'stream.entries', ...counted('entries') },
    queries: { scope: 'experiment', path: 'stream.queries', ...counted('queries') },
    points: { scope: 'experiment', path: 'stream.points', ...counted('points') },
  },
  own: { name: 'stream', settings: stream, payload: streamResult, withoutServices: 'TB_EXPERIMENT_STREAM' },
  input: { name: 'tracks', record: recordedTracks },
});

export type StreamExperiment = SettingsWith<typeof parts.own>;
export type StreamEntry = CellWith<typeof parts.own>;
export type StreamTrial = ExperimentCell & { settings: StreamExperiment };
