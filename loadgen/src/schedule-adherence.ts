/** How the schedule was kept, second by second: the check that a generator sent what was asked when it was asked. */
import type { Samples } from './samples.ts';

export interface ScheduleAdherence {
  scheduled: number;
  sent: number;
  /** Per second of the load: requests intended in it, and requests that left in it. */
  perSecond: { scheduled: number; sent: number }[];
}

/**
 * A request that left less than this late counts in the second in which it was intended: otherwise every request next to the
 * border of a second would look like a fault of the schedule. Lag itself is judged by its own quantile.
 */
const borderUs = 10_000;

export function scheduleAdherence({ intendedUs, sentUs }: Samples, durationUs: number): ScheduleAdherence {
  const perSecond = Array.from({ length: Math.ceil(durationUs / 1e6) }, () => ({ scheduled: 0, sent: 0 }));
  let sent = 0;
  intendedUs.forEach((intended, row) => {
    const left = sentUs[row] as number;
    const scheduledIn = perSecond[Math.floor(intended / 1e6)];
    if (scheduledIn) scheduledIn.scheduled++;
    if (Number.isNaN(left)) return;
    sent++;
    const sentIn = perSecond[Math.floor((left - intended < borderUs ? intended : left) / 1e6)];
    if (sentIn) sentIn.sent++;
  });
  return { scheduled: intendedUs.length, sent, perSecond };
}
