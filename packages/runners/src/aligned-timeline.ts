/** The timeline of a role on the clock of this host, read over its control routes. */
import type { HostClockReading, OwnRoleTimeline, RoleTimeline } from '@topo-bench/core';
import { type ClockExchange, clockOffset, hostClock, hostClockErrorUs, hostClockName } from '@topo-bench/host';

const exchanges = 10;

/** @param ask a GET request to the role */
export async function alignedTimeline(ask: <Answer>(path: string) => Promise<Answer>): Promise<RoleTimeline> {
  const { reading, ...timeline } = await ask<OwnRoleTimeline>('/control/timeline');
  if (reading.clock === hostClockName()) {
    return { ...timeline, isHere: true, clockErrorUs: reading.errorUs + hostClockErrorUs() };
  }
  const measured: ClockExchange[] = [];
  for (let i = 0; i < exchanges; i++) {
    const beforeUs = hostClock.nowUs();
    const { nowUs } = await ask<HostClockReading>('/control/clock');
    measured.push({ beforeUs, theirsUs: nowUs, afterUs: hostClock.nowUs() });
  }
  const { us, errorUs } = clockOffset(measured);
  return {
    ...timeline,
    startUs: timeline.startUs - us,
    endUs: timeline.endUs.map((endUs) => endUs - us),
    events: timeline.events.map((event) => ({ ...event, startUs: event.startUs - us })),
    isHere: false,
    clockErrorUs: errorUs + reading.errorUs + hostClockErrorUs(),
  };
}
