/**
 * Summaries of a repetition. Round-trip times cover completed requests; refused ones are separate: their path is
 * shorter.
 */
import type { Sample } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { summarise } from '@topo-bench/stats';

export type SampleSummaries = Pick<Cell, 'rtt' | 'rttRefused' | 'responseTime' | 'schedulerLag'>;

/** Requests in flight at the end of the drain or at the gateway's deadline count as +∞ in RTT and response time. */
export function summariseSamples(samples: readonly Sample[]): SampleSummaries {
  const completed = samples.filter(({ outcome }) => outcome === 'completed');
  const refused = samples.filter(({ outcome }) => outcome === 'refused');
  const unfinished = samples.filter(({ outcome }) => outcome === 'unfinished').length;
  return {
    rtt: summarise(numbers(completed.map(({ rttUs }) => rttUs)), unfinished),
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

function numbers(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}
