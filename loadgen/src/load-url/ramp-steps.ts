/** Response times over the rate of a ramp: ten steps of equal length. */
import type { Sample } from '@topo-bench/core';
import { summarise } from '@topo-bench/stats';
import type { LoadJob } from '../load-job.ts';

export interface RampStep {
  /** Offered load in the middle of the step, req/s. */
  rateRps: number;
  requests: number;
  /** Requests with an error, and those without an answer. */
  failed: number;
  /** Response time of answered requests by their intended send time; unanswered ones are +∞. */
  medianUs: number;
  p95Us: number;
}

const steps = 10;

export function rampSteps(
  samples: readonly Pick<Sample, 'intendedUs' | 'doneUs' | 'outcome'>[],
  { rateRps, rampToRps = rateRps, durationUs }: Pick<LoadJob, 'rateRps' | 'rampToRps' | 'durationUs'>,
): RampStep[] {
  return Array.from({ length: steps }, (_, at) => {
    const [fromUs, toUs] = [(at * durationUs) / steps, ((at + 1) * durationUs) / steps];
    const own = samples.filter(({ intendedUs }) => intendedUs >= fromUs && intendedUs < toUs);
    const answered = own.filter(({ outcome }) => outcome === 'completed' || outcome === 'refused');
    const times = answered.flatMap(({ doneUs, intendedUs }) => (doneUs === null ? [] : [doneUs - intendedUs]));
    const unfinished = own.filter(({ outcome }) => outcome === 'unfinished').length;
    const { medianUs, p95Us } = summarise(times, unfinished);
    const rate = rateRps + ((rampToRps - rateRps) * (at + 0.5)) / steps;
    return { rateRps: rate, requests: own.length, failed: own.length - answered.length, medianUs, p95Us };
  });
}
