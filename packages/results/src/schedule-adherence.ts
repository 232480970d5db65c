/** How the schedule was kept, second by second: whether requests left when they should have. */
import type { Sample } from '@topo-bench/core';

export interface ScheduleAdherence {
  scheduled: number;
  sent: number;
  /** Per second of the load: requests intended in it, and requests that left in it. */
  perSecond: { scheduled: number; sent: number }[];
}

/**
 * A request that left less than this late counts in the second in which it was intended: otherwise every request next to
 * the border of a second would look like a fault of the schedule. Lag itself is judged by its own quantile.
 */
const borderUs = 10_000;

export function scheduleAdherence(
  samples: readonly Pick<Sample, 'intendedUs' | 'sentUs'>[],
  durationUs: number,
): ScheduleAdherence {
  const perSecond = Array.from({ length: Math.ceil(durationUs / 1e6) }, () => ({ scheduled: 0, sent: 0 }));
  let sent = 0;
  for (const { intendedUs, sentUs } of samples) {
    const scheduledIn = perSecond[Math.floor(intendedUs / 1e6)];
    if (scheduledIn) scheduledIn.scheduled++;
    if (sentUs === null) continue;
    sent++;
    const sentIn = perSecond[Math.floor((sentUs - intendedUs < borderUs ? intendedUs : sentUs) / 1e6)];
    if (sentIn) sentIn.sent++;
  }
  return { scheduled: samples.length, sent, perSecond };
}
