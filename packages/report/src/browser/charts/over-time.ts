/** Times over the load, by intended send time. A growing queue is a rising line. */
import { dot, lineY, type Markish, type ScaleOptions } from '@observablehq/plot';
import type { CellTimes, ChartCell, ChartData, ChartEpisode } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { dashOf } from '../dashes.ts';
import type { PanelChart, Point } from '../panel.ts';
import { eventBands, eventPoints, firstEvents } from './event-bands.ts';
import { chosenSettings, figure, rangeOf, timeAxis } from './settings.ts';

/** Panels with this axis share a crosshair. */
export const timeAxisName = 'repetition';

/** The x axis of all charts over a repetition, in s since the load began. */
export function timeScale(seconds: number): ScaleOptions {
  return { domain: [0, seconds], ticks: 5, label: 'seconds since the load began', labelArrow: false };
}

/** Length of the longest repetition of the chosen cells, with their series; 0 without any. All charts share it. */
export function secondsOf(data: ChartData, choice: Choice): number {
  const chosen = chosenSettings(data, choice).flatMap(({ cells }) => cells);
  const spansMs = chosen.flatMap(({ times }) => times.repetitions.map(({ spanMs }) => spanMs));
  const usagesMs = [...choice.cells].flatMap((at) =>
    (data.cells[at]?.usage ?? []).map(({ endMs }) => endMs.at(-1) ?? 0),
  );
  return Math.max(0, ...spansMs, ...usagesMs) / 1e3;
}

export function overTime(data: ChartData, choice: Choice): PanelChart[] {
  const settings = chosenSettings(data, choice);
  const repetitions = settings.flatMap(({ cells }) => cells.flatMap(({ times }) => times.repetitions));
  const range = rangeOf(repetitions.flatMap(({ medianMs, maxMs }) => [...medianMs, ...maxMs]));
  if (!range) return [];
  const seconds = secondsOf(data, choice);
  return settings.map(({ setting, cells }): PanelChart => {
    const lines = cells.map(({ cell, times }) => linesOf(cell, times));
    return {
      title: setting,
      description: 'times over a repetition',
      x: timeScale(seconds),
      timeAxis: timeAxisName,
      y: timeAxis(range, 'ms'),
      marks: [
        // Cells have the same events at the same planned times.
        ...cells.slice(0, 1).map(({ cell }) => eventBands(firstEvents(cell), seconds)),
        ...lines.map(({ cell, slowest }) =>
          dot(slowest, { x: 'x', y: 'y', fill: `var(${cell.colour})`, fillOpacity: 0.6, r: 1.5 }),
        ),
        ...cells.map(({ cell }) =>
          dot(episodePoints(cell, range[1]), { ...place, fill: `var(${cell.colour})`, symbol: 'triangle2', r: 4 }),
        ),
        ...lines.flatMap(({ cell, single }) => single.flatMap((points) => lineOf(points, cell, 1, 0.5, 'none'))),
        ...lines.flatMap(({ cell, middle }) => lineOf(middle, cell, 2, 1, dashOf(data, cell.label))),
      ],
      points: [
        ...lines.flatMap(({ middle, single }) => [...middle, ...single.flat()].filter(({ y }) => !Number.isNaN(y))),
        ...cells.flatMap(({ cell }) => episodePoints(cell, range[1])),
        ...cells.flatMap(({ cell }) => eventPoints(firstEvents(cell), `${cell.label}, event`, range[1])),
      ],
    };
  });
}

const place = { x: 'x', y: 'y' } as const;

/** Episodes of slow requests of all repetitions, at the upper edge of the chart. */
function episodePoints({ label, episodes = [] }: ChartCell, y: number): Point[] {
  return episodes.map(({ repetition, startMs, endMs, text }) => ({
    x: startMs / 1e3,
    y,
    line: `${label}, slow episodes`,
    text: `${label}, repetition ${repetition}\n${spanText({ startMs, endMs })}: ${text}`,
  }));
}

/** From when to when, in s. */
export function spanText({ startMs, endMs }: Pick<ChartEpisode, 'startMs' | 'endMs'>): string {
  return `${(startMs / 1e3).toFixed(2)} to ${(endMs / 1e3).toFixed(2)} s`;
}

/** A point without a time breaks the line. One between two breaks, as in runs in turns, is a dot. */
function lineOf(
  points: readonly Point[],
  { colour }: ChartCell,
  width: number,
  opacity: number,
  dash: string,
): Markish[] {
  const paint = `var(${colour})`;
  const look = { stroke: paint, strokeWidth: width, strokeOpacity: opacity, strokeDasharray: dash };
  const single = { fill: paint, fillOpacity: opacity, r: width };
  return [lineY(points, { ...place, ...look }), dot(alone(points), { ...place, ...single })];
}

/** Points whose neighbours have no time. */
export function alone(points: readonly Point[]): Point[] {
  const isMissing = (at: number): boolean => Number.isNaN(points[at]?.y ?? Number.NaN);
  return points.filter((_, at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1));
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
