/** Number and rate of what a job processes: points, entries or queries. */
import type { Stream, StreamJobName } from '../settings-schema.ts';

export function reads(job: StreamJobName): boolean {
  return job === 'realistic-queries' || job === 'random-queries';
}

/** @returns points, entries or queries of the job at full speed */
export function sizeOf({
  job,
  points,
  entries,
  queries,
}: Pick<Stream, 'job' | 'points' | 'entries' | 'queries'>): number {
  if (reads(job)) return queries;
  return job === 'copy' ? entries : points;
}

/** @returns the rate of the paced job */
export function rateOf({ job, rate, queryRate }: Pick<Stream, 'job' | 'rate' | 'queryRate'>): number {
  return reads(job) ? queryRate : rate;
}

/** @returns what the job processes, in the plural */
export function elementsOf(job: string): string {
  if (job.endsWith('queries')) return 'queries';
  return job === 'copy' ? 'entries' : 'points';
}
