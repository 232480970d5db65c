/** The spans of a role on the clock of this host, read over its control routes. */
import type { HostClockReading, Span } from '@topo-bench/core';
import { type AskRole, alignClock } from './clock-alignment.ts';

export async function alignedSpans(ask: AskRole): Promise<Span[]> {
  const spans = await ask<Span[]>('/control/spans');
  if (spans.length === 0) return [];
  const { isHere, offsetUs, errorUs } = await alignClock(ask, await ask<HostClockReading>('/control/clock'));
  if (isHere) return spans;
  return spans.map((span) => ({ ...span, startUs: span.startUs - offsetUs, clockErrorUs: errorUs }));
}
