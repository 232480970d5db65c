/** Times over the load of each repetition, by intended send time: a queue that grows is a line that rises. */
import { dot, lineY } from '@observablehq/plot';
import type { CellTimes, ChartCell, ChartData } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { dashOf } from '../dashes.ts';
import type { PanelChart, Point } from '../panel.ts';
import { chosenSettings, figure, rangeOf, timeAxis } from './settings.ts';

export function overTime(data: ChartData, choice: Choice): PanelChart[] {
  const settings = chosenSettings(data, choice);
  const repetitions = settings.flatMap(({ cells }) => cells.flatMap(({ times }) => times.repetitions));
  const range = rangeOf(repetitions.flatMap(({ medianMs, maxMs }) => [...medianMs, ...maxMs]));
  if (!range) return [];
  const seconds = Math.max(...repetitions.map(({ spanMs }) => spanMs)) / 1e3;
  return settings.map(({ setting, cells }): PanelChart => {
    const lines = cells.flatMap(({ cell, times }) => linesOf(cell, times));
    return {
      title: setting,
      description: 'times over a repetition',
      x: { domain: [0, seconds], ticks: 5, label: 'seconds since the load began', labelArrow: false },
      y: timeAxis(range, 'ms'),
      marks: lines.flatMap(({ cell, medians, slowest }) => [
        dot(slowest, { x: 'x', y: 'y', fill: `var(${cell.colour})`, fillOpacity: 0.45, r: 1.3 }),
        lineY(medians, {
          x: 'x',
          y: 'y',
          stroke: `var(${cell.colour})`,
          strokeWidth: 1.3,
          strokeOpacity: 0.85,
          strokeDasharray: dashOf(data, cell.label),
        }),
      ]),
      points: lines.flatMap(({ medians }) => medians.filter(({ y }) => !Number.isNaN(y))),
    };
  });
}

interface TimeLine {
  cell: ChartCell;
  medians: Point[];
  slowest: { x: number; y: number }[];
}

function linesOf(cell: ChartCell, { repetitions }: CellTimes): TimeLine[] {
  return repetitions.map(({ repetition, spanMs, medianMs, maxMs }) => {
    const at = (window: number): number => ((window + 0.5) * spanMs) / medianMs.length / 1e3;
    const name = `${cell.label}, repetition ${repetition}`;
    return {
      cell,
      // A window without a finished request breaks the line.
      medians: medianMs.map((ms, window) => ({
        x: at(window),
        y: ms ?? Number.NaN,
        line: name,
        text: `${name}\n${at(window).toFixed(1)} s, median ${figure(ms ?? 0)} ms, slowest ${figure(maxMs[window] ?? 0)} ms`,
      })),
      slowest: maxMs.flatMap((ms, window) => (ms === null ? [] : [{ x: at(window), y: ms }])),
    };
  });
}
