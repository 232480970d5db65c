/** The entry of a repetition that could not be measured at all: invalid, with the reason and without any figure. */
import type { TopoBenchError } from '@topo-bench/core';
import type { ExperimentCell } from './build-cell.ts';
import { countSamples } from './count-samples.ts';
import type { MeasuredRepetition } from './laboratory.ts';
import { summariseSamples } from './summarise-samples.ts';

export function failedRepetition(
  { levels, settings }: ExperimentCell,
  repetition: number,
  error: TopoBenchError,
): MeasuredRepetition {
  const [firstLine] = error.message.split('\n');
  return {
    entry: {
      factors: levels,
      repetition,
      source: 'measured',
      startedAt: new Date().toISOString(),
      offeredRps: settings.load.driver === 'open' ? settings.load.rate : 0,
      achievedRps: 0,
      ...summariseSamples([]),
      ...countSamples([], 0),
      cpuUsPerRequest: {},
      resources: {},
      validity: { valid: false, reasons: [`not measured: ${firstLine} (${error.code})`], flags: [] },
    },
    samples: [],
    requests: [],
    spans: [],
  };
}
