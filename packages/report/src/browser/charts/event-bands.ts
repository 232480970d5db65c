/** Planned events over the height of a chart over time: a band from begin to end, with a text at its upper edge. */
import { type Markish, rect } from '@observablehq/plot';
import type { ChartCell, ChartEvent } from '../../html/chart-data.ts';
import type { Point } from '../panel.ts';

/** Events of the first valid repetition with events: the others have them at the same planned times. */
export function firstEvents({ events = [] }: ChartCell): ChartEvent[] {
  return events.filter(({ repetition }) => repetition === events[0]?.repetition);
}

/** @param seconds end of the axis */
export function eventBands(events: readonly ChartEvent[], seconds: number): Markish {
  const bands = events.map(({ startMs, endMs }) => ({ from: startMs / 1e3, to: Math.min(seconds, endMs / 1e3) }));
  return rect(bands, { x1: 'from', x2: 'to', fill: 'var(--dim)', fillOpacity: 0.14, stroke: 'var(--dim)' });
}

/** @param y upper edge of the chart */
export function eventPoints(events: readonly ChartEvent[], line: string, y: number): Point[] {
  return events.map(({ startMs, text }) => {
    return { x: startMs / 1e3, y, line, text: `${line}\n${(startMs / 1e3).toFixed(2)} s, ${text}` };
  });
}
