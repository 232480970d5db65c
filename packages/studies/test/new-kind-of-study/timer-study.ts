/**
 * A kind of study for tests: the actual length of a timer. It has settings, a factor and a payload of its own, and
 * changes no package.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatUs } from '@topo-bench/core';
import type { SettingsWith } from '@topo-bench/core/schema/experiment';
import { duration } from '@topo-bench/core/schema/quantities';
import type { CellWith } from '@topo-bench/core/schema/result';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import { section } from '@topo-bench/report/html';
import { cellOfSamples } from '@topo-bench/results';
import { wholeSample } from '@topo-bench/study-kit/whole-sample';
import type { ExperimentCell } from '@topo-bench/trial';
import { z } from 'zod';
import type { KindOfStudy } from '../../src/index.ts';

const parts = joinStudy({
  kind: 'timer',
  factors: { timerLength: { scope: 'experiment', path: 'timer.length', describe: (level) => `a timer of ${level}` } },
  own: {
    name: 'timer',
    settings: z.strictObject({ length: duration.prefault('5ms') }),
    payload: z.strictObject({ wantedUs: z.number(), lengthUs: z.number() }),
  },
});

type TimerExperiment = SettingsWith<typeof parts.own>;
export type TimerEntry = CellWith<typeof parts.own>;
type TimerTrial = ExperimentCell & { settings: TimerExperiment };

export const timer: KindOfStudy = {
  kind: parts.kind,
  parts,
  interval: 'responseTime',
  takesTurns: false,
  appliesTo: ({ timer }: TimerExperiment) => timer !== undefined,
  levels: ({ timer }: TimerExperiment) => ({ timerLength: formatUs(timer?.length ?? 0) }),
  check: (cells: readonly TimerTrial[], locate) =>
    cells.flatMap(({ settings }) =>
      (settings.timer?.length ?? 0) < settings.duration
        ? []
        : [{ ...locate(['timer', 'length']), code: 'TB_SCHEMA_INVALID', message: 'the timer ends after the load' }],
    ),
  figures: (entry: TimerEntry) => [`timer ${lengthMs(entry)} ms`],
  metrics: {
    has: ({ timer }: TimerEntry) => timer !== undefined,
    defaultMetric: 'timer.length',
    single: {
      'timer.length': {
        unit: 'us',
        better: 'lower',
        scale: 'ratio',
        read: ({ timer }: TimerEntry) => timer?.lengthUs,
      },
    },
  },
  report: async () => ({
    async views({ groups }) {
      const text = lines(groups.flatMap(({ valid }) => valid));
      return {
        hasControls: false,
        page: () => [section('timer', 'Timer', text.join(', '))],
        terminal: () => [text],
        markdown: () => text,
      };
    },
  }),
  open: async ({ deployment }) => ({
    measure: async (cell, repetition) => {
      const entry = await timed(cell, repetition);
      return { entry, samples: [], requests: [], spans: [] };
    },
    recover: async () => true,
    close: () => deployment.stop(),
  }),
};

async function timed({ levels, settings }: TimerTrial, repetition: number): Promise<TimerEntry> {
  const wantedUs = settings.timer?.length ?? 0;
  const startedAt = new Date();
  const startMs = performance.now();
  await sleep(wantedUs / 1e3);
  const lengthUs = (performance.now() - startMs) * 1e3;
  const entry = cellOfSamples({
    source: 'measured',
    factors: levels,
    repetition,
    load: { startedAt, durationUs: wantedUs, sent: 1, generators: [] },
    samples: [wholeSample('0', 'timer', lengthUs)],
    withoutRtt: true,
    maxErrorShare: 0,
  });
  return { ...entry, timer: { wantedUs, lengthUs } };
}

function lengthMs({ timer }: TimerEntry): string {
  return ((timer?.lengthUs ?? Number.NaN) / 1e3).toFixed(1);
}

function lines(cells: readonly TimerEntry[]): string[] {
  return cells.map((cell) => `timer.length of ${cell.factors.timerLength}: ${lengthMs(cell)} ms`);
}
