/**
 * Counts of a cell over time, a line or a stacked area per name. The panels of a figure have one time axis and one
 * crosshair.
 */
import { areaY, lineY } from '@observablehq/plot';
import type { ChartCell, ChartData, ChartEvent, SeriesPanel } from '../../html/chart-data.ts';
import { nestedWidth } from '../../html/nested-width.ts';
import type { Choice } from '../controls.ts';
import { dashAt } from '../dashes.ts';
import type { PanelChart, Point } from '../panel.ts';
import { eventBands, eventPoints, firstEvents } from './event-bands.ts';
import { timeScale } from './over-time.ts';
import { figure } from './settings.ts';
import { textAt } from './usage.ts';

const height = 190;

export function series(data: ChartData, { cells }: Choice, name: string): PanelChart[] {
  const shown = (data.series[name] ?? []).filter(({ cell }) => cells.has(cell));
  const seconds = Math.max(0, ...shown.map(secondsOf));
  return shown.map((panel) => panelOf(panel, seconds, name, firstEvents(data.cells[panel.cell] as ChartCell)));
}

/** `below`: the sum of the parts below this one. */
interface StackedPoint extends Point {
  below: number;
}

function secondsOf({ stepMs, lines }: SeriesPanel): number {
  return (Math.max(0, ...lines.map(({ values }) => values.length)) * stepMs) / 1e3;
}

function panelOf(
  { title, heading, stepMs, max, stacked, lines }: SeriesPanel,
  seconds: number,
  figureName: string,
  events: readonly ChartEvent[],
): PanelChart {
  const drawn = lines.map(({ name, colour, values }, at) => ({
    name,
    colour,
    dash: dashAt(stacked ? 0 : at),
    points: values.map((value, step): StackedPoint => {
      const x = ((step + 0.5) * stepMs) / 1e3;
      const below = stacked ? lines.slice(0, at).reduce((sum, line) => sum + (line.values[step] ?? 0), 0) : 0;
      return { x, y: below + value, below, line: name, text: `${name}\n${x.toFixed(2)} s, ${figure(value)}` };
    }),
  }));
  return {
    title,
    description: `${heading} over time`,
    legend: drawn.map(({ name, colour, dash }) => ({ label: name, colour, dash })),
    x: timeScale(seconds),
    // Small counts have whole numbers only.
    y: { domain: [0, max], ticks: Math.min(4, Math.ceil(max)), label: `${heading}, linear`, labelArrow: false },
    height,
    timeAxis: figureName,
    marks: [
      eventBands(events, seconds),
      ...drawn.map(({ points, colour, dash }, at) => {
        const fill = `var(${colour})`;
        if (stacked) return areaY(points, { x: 'x', y1: 'below', y2: 'y', fill, fillOpacity: 0.75, curve: 'step' });
        const strokeWidth = nestedWidth(at, drawn.length);
        return lineY(points, { x: 'x', y: 'y', stroke: `var(${colour})`, strokeWidth, strokeDasharray: dash });
      }),
    ],
    points: [...drawn.flatMap(({ points }) => points), ...eventPoints(events, 'event', max)],
    textAt: (time) =>
      textAt(
        drawn.map(({ points }) => points.map((point) => ({ ...point, y: point.y - point.below }))),
        time,
        '',
      ),
  };
}
