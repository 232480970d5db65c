/**
 * Checks that the union of what generators intended to send is the one schedule of the job. Generators on other hosts
 * may run another version of topo-bench, which draws other times.
 */
import { TopoBenchError } from '@topo-bench/core';
import { scheduleOfPart } from '@topo-bench/workload';
import type { LoadJob } from '../load-job.ts';
import type { Samples } from '../samples.ts';

/**
 * @param samples of all generators, in order of `index`
 * @throws TopoBenchError `TB_LOAD_GENERATORS_DIFFER`
 */
export function requireWholeSchedule(job: LoadJob, { index, intendedUs }: Pick<Samples, 'index' | 'intendedUs'>): void {
  const whole = scheduleOfPart(job, { part: 0, parts: 1 });
  const timesUs = new Float64Array(whole.indexes.length);
  for (const [row, at] of whole.indexes.entries()) timesUs[at] = whole.timesUs[row] as number;
  const wrong = index.findIndex((at, row) => at !== row || timesUs[at] !== intendedUs[row]);
  if (wrong < 0 && index.length === timesUs.length) return;
  const found = wrong < 0 ? `they sent ${index.length} of ${timesUs.length}` : `request ${wrong} is missing or differs`;
  throw new TopoBenchError('TB_LOAD_GENERATORS_DIFFER', `the load generators did not split one schedule: ${found}`);
}
