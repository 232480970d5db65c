/** The mark of a figure: where it comes from, and how sure it is. */
import type { PageState } from './store.ts';

/** `3 minutes ago` */
export function ageOf(at: number, now: number): string {
  const minutes = Math.round((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 90) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

type Progress = Pick<PageState, 'done' | 'rounds'> & Partial<Pick<PageState, 'details'>>;

/** How far the replications are: intervals need six. */
export function progressText({ done, rounds, details }: Progress): string {
  if (done === 0) return 'simulating …';
  if (done < rounds) return `${done} of ${rounds} replications`;
  if (details?.some(({ uncertainty }) => uncertainty))
    return `${rounds} replications, 90% intervals with the error of the calibration`;
  return `${rounds} replications, 95% intervals between them`;
}
