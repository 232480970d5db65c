/** Times over the load, by intended send time. A growing queue is a rising line. */
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
    const lines = cells.map(({ cell, times }) => linesOf(cell, times));
    return {
      title: setting,
      description: 'times over a repetition',
      x: { domain: [0, seconds], ticks: 5, label: 'seconds since the load began', labelArrow: false },
      y: timeAxis(range, 'ms'),
      marks: [
        ...lines.map(({ cell, slowest }) =>
          dot(slowest, { x: 'x', y: 'y', fill: `var(${cell.colour})`, fillOpacity: 0.35, r: 1.2 }),
        ),
        ...lines.flatMap(({ cell, single }) => single.map((points) => lineOf(points, cell, 1, 0.3, 'none'))),
        ...lines.map(({ cell, middle }) => lineOf(middle, cell, 2, 1, dashOf(data, cell.label))),
      ],
      points: lines.flatMap(({ middle, single }) => [...middle, ...single.flat()].filter(({ y }) => !Number.isNaN(y))),
    };
  });
}

/** A point without a time breaks the line. */
function lineOf(points: readonly Point[], { colour }: ChartCell, width: number, opacity: number, dash: string) {
  const look = { stroke: `var(${colour})`, strokeWidth: width, strokeOpacity: opacity, strokeDasharray: dash };
  return lineY(points, { x: 'x', y: 'y', ...look });
}

interface TimeLines {
  cell: ChartCell;
  /** Median of the repetitions' medians, per window. */
  middle: Point[];
  /** One line per repetition; empty for a single repetition. */
  single: Point[][];
  slowest: { x: number; y: number }[];
}

function linesOf(cell: ChartCell, { repetitions }: CellTimes): TimeLines {
  const single = repetitions.map(({ repetition, spanMs, medianMs, maxMs }) =>
    medianMs.map((ms, window) =>
      pointAt(`${cell.label}, repetition ${repetition}`, placeOf(window, spanMs, medianMs.length), ms, maxMs[window]),
    ),
  );
  const slowest = repetitions.flatMap(({ spanMs, maxMs }) =>
    maxMs.flatMap((ms, window) => (ms === null ? [] : [{ x: placeOf(window, spanMs, maxMs.length), y: ms }])),
  );
  const [first] = repetitions;
  const middle = (first?.medianMs ?? []).map((_, window) =>
    pointAt(
      cell.label,
      placeOf(window, first?.spanMs ?? 0, first?.medianMs.length ?? 1),
      middleOf(repetitions.map(({ medianMs }) => medianMs[window] ?? null)),
      Math.max(...repetitions.map(({ maxMs }) => maxMs[window] ?? 0)),
    ),
  );
  return { cell, middle, single: repetitions.length > 1 ? single : [], slowest };
}

/** Middle of a window, in seconds. */
function placeOf(window: number, spanMs: number, windows: number): number {
  return ((window + 0.5) * spanMs) / windows / 1e3;
}

function pointAt(line: string, seconds: number, ms: number | null, slowestMs: number | null | undefined): Point {
  const slowest = slowestMs ? `, slowest ${figure(slowestMs)} ms` : '';
  return {
    x: seconds,
    y: ms ?? Number.NaN,
    line,
    text: `${line}\n${seconds.toFixed(1)} s, median ${figure(ms ?? 0)} ms${slowest}`,
  };
}

/** Median with null as +∞; null if the median is infinite. */
function middleOf(values: readonly (number | null)[]): number | null {
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const mean = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return Number.isFinite(mean) ? mean : null;
}
