/**
 * Summaries of a repetition. Round-trip times cover completed requests; refused ones are separate: their path is
 * shorter.
 */
import { groupedBy, type Sample } from '@topo-bench/core';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import { summarise } from '@topo-bench/stats';

export type SampleSummaries = Pick<Cell, 'rtt' | 'rttRefused' | 'rttByClass' | 'responseTime' | 'schedulerLag'>;

/** Requests in flight at the end of the drain or at the gateway's deadline count as +∞ in RTT and response time. */
export function summariseSamples(samples: readonly Sample[]): SampleSummaries {
  const completed = samples.filter(({ outcome }) => outcome === 'completed');
  const refused = samples.filter(({ outcome }) => outcome === 'refused');
  const unfinished = samples.filter(({ outcome }) => outcome === 'unfinished').length;
  const classes = groupedBy(samples, (sample) => sample.class);
  return {
    rtt: rttOf(samples),
    ...(classes.size > 1 && {
      rttByClass: Object.fromEntries([...classes].map(([name, own]) => [name, rttOf(own)])),
    }),
    rttRefused: summarise(numbers(refused.map(({ rttUs }) => rttUs))),
    responseTime: summarise(
      numbers(
        completed.map(({ doneUs, intendedUs, clientLinkUs }) => doneUs && doneUs - intendedUs + (clientLinkUs ?? 0)),
      ),
      unfinished,
    ),
    schedulerLag: summarise(
      numbers(samples.map(({ sentUs, intendedUs }) => (sentUs === null ? null : sentUs - intendedUs))),
    ),
  };
}

function rttOf(samples: readonly Sample[]): Summary {
  const of = (wanted: Sample['outcome']): Sample[] => samples.filter(({ outcome }) => outcome === wanted);
  return summarise(numbers(of('completed').map(({ rttUs }) => rttUs)), of('unfinished').length);
}

function numbers(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}
