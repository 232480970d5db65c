/** Schedule adherence: scheduled and sent requests, second by second. */
import type { Sample } from '@topo-bench/core';

export interface ScheduleAdherence {
  scheduled: number;
  sent: number;
  /** Requests scheduled and requests sent in each second of the load. */
  perSecond: { scheduled: number; sent: number }[];
}

/**
 * Requests with less lag than this count in their intended second. Otherwise each request next to the border of a
 * second would count as a violation of the schedule. The lag itself is judged by its quantile.
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
