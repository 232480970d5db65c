/**
 * One repetition on one time axis: its requests, the CPU of its roles, and their event loops. The axis is that of the
 * times over a repetition.
 */
import { areaY, dot, lineY, rect } from '@observablehq/plot';
import type { ChartCell, ChartData, RepetitionUsage } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { dashAt } from '../dashes.ts';
import type { PanelChart, Point } from '../panel.ts';
import { eventBands, eventPoints } from './event-bands.ts';
import { alone, secondsOf, spanText, timeAxisName, timeScale } from './over-time.ts';
import { figure, rangeOf, timeAxis } from './settings.ts';

const height = 190;

/** A repetition that the reader can choose. */
export interface PickedRepetition {
  cell: ChartCell;
  usage: RepetitionUsage;
}

export function repetitionsOf({ cells }: ChartData, choice: Choice): Map<string, PickedRepetition> {
  const chosen = [...choice.cells].flatMap((at) => cells[at] ?? []);
  return new Map(
    chosen.flatMap((cell) =>
      (cell.usage ?? []).map((usage) => [
        [cell.label, cell.setting, `repetition ${usage.repetition}`].filter(Boolean).join(', '),
        { cell, usage },
      ]),
    ),
  );
}

/** The repetition with the longest episode of slow requests, if there is any. */
export function slowestRepetition(data: ChartData, choice: Choice): string | undefined {
  const lengths = [...repetitionsOf(data, choice)].map(([name, { cell, usage }]) => ({
    name,
    ms: Math.max(0, ...episodesOf(cell, usage).map(({ startMs, endMs }) => endMs - startMs)),
  }));
  return lengths.reduce<{ name?: string; ms: number }>((most, one) => (one.ms > most.ms ? one : most), { ms: 0 }).name;
}

function episodesOf({ episodes = [] }: ChartCell, { repetition }: RepetitionUsage) {
  return episodes.filter((one) => one.repetition === repetition);
}

function eventsOf({ events = [] }: ChartCell, { repetition }: RepetitionUsage) {
  return events.filter((one) => one.repetition === repetition);
}

export function usage(data: ChartData, choice: Choice, _: string, picked?: string): PanelChart[] {
  const repetition = repetitionsOf(data, choice).get(picked ?? '');
  if (!repetition) return [];
  const { cell, usage } = repetition;
  // Without charts of single requests, no other chart has this axis.
  const seconds = data.times.length > 0 ? secondsOf(data, choice) : (usage.endMs.at(-1) ?? 0) / 1e3;
  const lines = usage.roles.map(({ role }, at) => ({ label: role, colour: `--k-${at % 6}`, dash: dashAt(at) }));
  const host = usage.host ? [{ label: 'host, of all its cores', colour: '--dim', dash: '1 2' }] : [];
  const foreign = usage.host?.foreignPercent
    ? [{ label: 'foreign programs, of all cores', colour: '--error', dash: '4 2' }]
    : [];
  const panels = [
    requestsPanel(cell, usage, choice, seconds),
    usagePanel(cell, usage, {
      title: 'CPU',
      heading: 'CPU (% of one core)',
      seconds,
      lines: [
        ...lines.map((line, at) => ({ ...line, values: usage.roles[at]?.cpuPercent ?? [] })),
        ...host.map((line) => ({ ...line, values: usage.host?.busyPercent ?? [] })),
        ...foreign.map((line) => ({ ...line, values: usage.host?.foreignPercent ?? [] })),
      ],
    }),
    usage.roles.some(({ busyPercent }) => busyPercent) &&
      usagePanel(cell, usage, {
        title: 'Event loops',
        heading: 'busy (% of the time)',
        seconds,
        lines: lines.flatMap((line, at) => {
          const values = usage.roles[at]?.busyPercent;
          return values ? [{ ...line, values }] : [];
        }),
      }),
  ].filter((panel) => panel !== undefined && panel !== false);
  const requests = cell.times ? [{ label: 'requests', colour: '--ink', dash: 'none' }] : [];
  return panels.map((panel) => ({ ...panel, legend: [...requests, ...lines, ...host, ...foreign] }));
}

function requestsPanel(
  cell: ChartCell,
  usage: RepetitionUsage,
  { metric }: Choice,
  seconds: number,
): PanelChart | undefined {
  const times = cell.times?.[metric]?.repetitions.find((one) => one.repetition === usage.repetition);
  const range = times && rangeOf([...times.medianMs, ...times.maxMs]);
  if (!times || !range) return undefined;
  const { spanMs, medianMs, maxMs } = times;
  const at = (window: number): number => ((window + 0.5) * spanMs) / medianMs.length / 1e3;
  const pointsOf = (values: readonly (number | null)[], line: string): Point[] =>
    values.map((ms, window) => ({
      x: at(window),
      y: ms ?? Number.NaN,
      line,
      text: `${line}\n${at(window).toFixed(1)} s, ${figure(ms ?? 0)} ms`,
    }));
  const [median, slowest] = [pointsOf(medianMs, 'median'), pointsOf(maxMs, 'slowest request')];
  // The colours of the legend are those of roles.
  const own = 'var(--ink)';
  const slow = episodesOf(cell, usage).map(
    ({ startMs, endMs, text }): Point => ({
      x: (startMs + endMs) / 2e3,
      y: range[1],
      line: 'slow episodes',
      text: `${spanText({ startMs, endMs })}\n${text}`,
    }),
  );
  return {
    title: 'Requests',
    description: 'times of requests over the repetition',
    x: timeScale(seconds),
    y: timeAxis(range, 'ms'),
    height,
    timeAxis: timeAxisName,
    marks: [
      slowBands(cell, usage),
      eventBands(eventsOf(cell, usage), seconds),
      dot(slowest, { x: 'x', y: 'y', fill: own, fillOpacity: 0.6, r: 1.6 }),
      lineY(median, { x: 'x', y: 'y', stroke: own, strokeWidth: 2 }),
      dot(alone(median), { x: 'x', y: 'y', fill: own, r: 2.5 }),
    ],
    points: [...median, ...slowest, ...slow, ...eventPoints(eventsOf(cell, usage), 'event', range[1])].filter(
      ({ y }) => !Number.isNaN(y),
    ),
    textAt: (time) => textAt([median, slowest], time, 'ms'),
  };
}

interface UsagePanel {
  title: string;
  heading: string;
  seconds: number;
  lines: { label: string; colour: string; dash: string; values: readonly (number | null)[] }[];
}

/** Episodes of slow requests over the height of a panel. */
function slowBands(cell: ChartCell, usage: RepetitionUsage) {
  const spans = episodesOf(cell, usage).map(({ startMs, endMs }) => ({ from: startMs / 1e3, to: endMs / 1e3 }));
  return rect(spans, { x1: 'from', x2: 'to', fill: 'var(--refused)', fillOpacity: 0.3, stroke: 'var(--refused)' });
}

function usagePanel(
  cell: ChartCell,
  usage: RepetitionUsage,
  { title, heading, seconds, lines }: UsagePanel,
): PanelChart {
  const { endMs } = usage;
  const drawn = lines.map(({ label, values, ...look }) => ({
    ...look,
    points: values.map((value, at): Point => {
      const x = ((endMs[at - 1] ?? 0) + (endMs[at] ?? 0)) / 2 / 1e3;
      return { x, y: value ?? Number.NaN, line: label, text: `${label}\n${x.toFixed(1)} s, ${figure(value ?? 0)}%` };
    }),
  }));
  const most = Math.max(100, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const style = { x: 'x', y: 'y' } as const;
  return {
    title,
    description: `${heading} over the repetition`,
    x: timeScale(seconds),
    y: { domain: [0, most], ticks: 4, label: `${heading}, linear`, labelArrow: false },
    height,
    timeAxis: timeAxisName,
    marks: [
      slowBands(cell, usage),
      eventBands(eventsOf(cell, usage), seconds),
      ...drawn.flatMap(({ points, colour, dash }) => [
        ...(colour === '--error' ? [areaY(points, { ...style, fill: `var(${colour})`, fillOpacity: 0.15 })] : []),
        lineY(points, { ...style, stroke: `var(${colour})`, strokeWidth: 1.75, strokeDasharray: dash }),
      ]),
    ],
    points: drawn.flatMap(({ points }) => points.filter(({ y }) => !Number.isNaN(y))),
    textAt: (time) =>
      textAt(
        drawn.map(({ points }) => points),
        time,
        '%',
      ),
  };
}

/** The point of each line that is nearest to the time. */
export function textAt(lines: readonly (readonly Point[])[], seconds: number, unit: string): string {
  const texts = lines.flatMap((points) => {
    const [first] = points;
    if (!first) return [];
    const near = points.reduce((best, one) => (Math.abs(one.x - seconds) < Math.abs(best.x - seconds) ? one : best));
    return Number.isNaN(near.y) ? [] : [`${near.line} ${figure(near.y)}${unit === 'ms' ? ' ms' : unit}`];
  });
  return `${seconds.toFixed(1)} s: ${texts.join(', ')}`;
}
