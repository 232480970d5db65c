/** The job of one of several servers that take turns, and the requests that overlap with the turn of another. */
import { ownDurationUs, type TurnLengths, turnUs } from '@topo-bench/workload';
import type { LoadJob } from './load-job.ts';
import type { Samples } from './samples.ts';

/**
 * The job of one server by itself; its turns consist of this job's schedule and requests.
 * @param server index of its URL
 */
export function jobOfServer({ turns, ...job }: LoadJob, server: number): LoadJob {
  if (!turns) return job;
  const { entries } = job;
  return {
    ...job,
    urls: [job.urls[server] as string],
    ...(entries && { entries: [entries[server] as (typeof entries)[number]] }),
    request: turns.requests?.[server] ?? job.request,
    durationUs: ownDurationUs(job.durationUs, job.urls.length, turns),
  };
}

/** Requests still in flight when the turn after theirs began: they overlap with another server's measurement. */
export function openAfterTurn({ intendedUs, sentUs, doneUs }: Samples, turns: TurnLengths): number {
  const length = turnUs(turns);
  let open = 0;
  intendedUs.forEach((intended, row) => {
    const endUs = (Math.floor(intended / length) + 1) * length;
    // A request that was never sent does not overlap. Without an answer, the comparison with NaN is false.
    if (!Number.isNaN(sentUs[row]) && !((doneUs[row] as number) <= endUs)) open++;
  });
  return open;
}
