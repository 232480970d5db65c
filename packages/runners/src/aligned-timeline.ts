/** Timeline and spans of a role on the clock of this host, read over its control routes. */
import type { HostClockReading, OwnRoleTimeline, RoleTimeline, Span } from '@topo-bench/core';
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

export async function alignedSpans(ask: AskRole): Promise<Span[]> {
  const spans = await ask<Span[]>('/control/spans');
  if (spans.length === 0) return [];
  const { isHere, offsetUs, errorUs } = await alignClock(ask, await ask<HostClockReading>('/control/clock'));
  if (isHere) return spans;
  return spans.map((span) => ({ ...span, startUs: span.startUs - offsetUs, clockErrorUs: errorUs }));
}
