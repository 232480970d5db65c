/** The timeline of a role on the clock of this host, read over its control routes. */
import type { OwnRoleTimeline, RoleTimeline } from '@topo-bench/core';
import { type AskRole, alignClock } from './clock-alignment.ts';

export async function alignedTimeline(ask: AskRole): Promise<RoleTimeline> {
  const { reading, ...timeline } = await ask<OwnRoleTimeline>('/control/timeline');
  const { isHere, offsetUs, errorUs } = await alignClock(ask, reading);
  return {
    ...timeline,
    startUs: timeline.startUs - offsetUs,
    endUs: timeline.endUs.map((endUs) => endUs - offsetUs),
    events: timeline.events.map((event) => ({ ...event, startUs: event.startUs - offsetUs })),
    isHere,
    clockErrorUs: errorUs,
  };
}
