/** The entry of a failed repetition: invalid, with the reason and without figures. */
import type { TopoBenchError } from '@topo-bench/core';
import { cellOfSamples, type Repetition } from '@topo-bench/results';
import type { ExperimentCell, MeasuredRepetition } from '@topo-bench/trial';

export function failedRepetition(
  { levels, settings: { load, duration, validity } }: ExperimentCell,
  repetition: number,
  failure: TopoBenchError,
  source: Repetition['source'],
): MeasuredRepetition {
  const { smallestDifference, maxErrorShare } = validity;
  const rateRps = load.driver === 'open' ? load.rate : 0;
  const entry = cellOfSamples({
    source,
    factors: levels,
    repetition,
    load: { startedAt: new Date(), durationUs: duration, sent: 0, generators: [] },
    samples: [],
    schedule: { rateRps, smallestDifference },
    maxErrorShare,
    failure,
  });
  return { entry, samples: [], requests: [], spans: [] };
}
