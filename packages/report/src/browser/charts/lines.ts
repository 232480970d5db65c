/**
 * A figure by level: the median of the repetitions as a line, each repetition as a point, and as a stroke the 95%
 * interval of the median, or the range of too few repetitions. A median that is infinite is at the upper end.
 */
import { dot, lineY, type Markish, rect, ruleX, type ScaleOptions, text } from '@observablehq/plot';
import type { ChartData, LinePanel } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { dashAt } from '../dashes.ts';
import type { PanelChart, Point } from '../panel.ts';
import { roundTicks } from './round-ticks.ts';
import { figure, logarithmic, rangeOf } from './settings.ts';

interface LevelPoint extends Point {
  repetitions: number[];
  /** Ends of the stroke. */
  spread: [low: number, high: number];
  isInfinite: boolean;
}

/** Above this ratio of the largest to the smallest value, the axis is logarithmic. */
const logarithmicFrom = 20;

/** Share of the axis above the highest value, where a median is infinite. */
const infiniteRoom = 0.1;

export function lines(data: ChartData, { cells }: Choice, name: string): PanelChart[] {
  const panels = (data.lines[name] ?? []).map((panel) => ({
    ...panel,
    lines: panel.lines.map((line) => ({ ...line, points: line.points.filter(({ cell }) => cells.has(cell)) })),
  }));
  const shown = panels.filter((panel) => panel.lines.some(({ points }) => points.some(({ count }) => count > 0)));
  // Panels of one figure share the axis for comparison.
  const byHeading = Map.groupBy(shown, ({ heading }) => heading);
  return shown.flatMap((panel) => {
    const alike = byHeading.get(panel.heading) ?? [];
    const range = rangeOf(alike.flatMap((one) => one.lines.flatMap(({ points }) => points.flatMap(valuesOf))));
    return range || alike.some(hasInfinite) ? [panelOf(panel, range, data.infinite)] : [];
  });
}

function hasInfinite({ lines }: LinePanel): boolean {
  return lines.some(({ points }) => points.some(({ value, count }) => value === null && count > 0));
}

/** @param range of the finite values; undefined without any */
function panelOf(panel: LinePanel, range: [number, number] | undefined, infinite: string): PanelChart {
  const { title, heading, axis, levels, positions = [...levels.keys()] } = panel;
  const { high, options: y } = range ? finiteAxis(panel, range) : infiniteAxis(heading, infinite);
  const drawn = panel.lines.map((line, at) => ({
    ...line,
    dash: dashAt(at),
    points: line.points.flatMap((point) => pointOf({ ...panel, positions }, at, point, { high, infinite })),
    band: bandOf(line, positions),
  }));
  return {
    title,
    description: `${heading} against ${axis}`,
    legend: drawn
      .filter(({ points }) => points.length > 0)
      .map(({ name, colour, dash }) => ({ label: name, colour, dash })),
    x: {
      domain: [-0.5, levels.length - 0.5],
      ticks: positions,
      tickFormat: (at: number) => levels[positions.indexOf(at)] ?? '',
      label: axis,
      labelArrow: false,
    },
    y,
    marks: [
      ...drawn.flatMap(({ colour, band }) => (band ? bandMarks(band, `var(${colour})`) : [])),
      ...drawn.flatMap(({ colour, points, dash }) => marksOf(points, `var(${colour})`, dash)),
    ],
    points: drawn.flatMap(({ points }) => points),
  };
}

interface ValueAxis {
  /** Upper end, where a median is infinite. */
  high: number;
  options: ScaleOptions;
}

function finiteAxis(panel: LinePanel, [low, highest]: [number, number]): ValueAxis {
  const { heading } = panel;
  const isLogarithmic = highest > logarithmicFrom * low;
  const room = isLogarithmic ? (highest / low) ** infiniteRoom : 1 + infiniteRoom;
  const high = hasInfinite(panel) ? highest * room : highest;
  const common = { tickFormat: figure, labelArrow: false as const };
  const options: ScaleOptions = isLogarithmic
    ? { type: 'log', domain: [low, high], ticks: roundTicks(low, high), label: logarithmic(heading), ...common }
    : { domain: [0, high], ticks: 5, label: `${heading}, linear`, ...common };
  return { high, options };
}

/** For a figure without finite values. Its only tick is at the upper end. */
function infiniteAxis(heading: string, infinite: string): ValueAxis {
  const high = 1;
  const options = { domain: [0, high], ticks: [high], tickFormat: () => infinite, label: heading };
  return { high, options: { ...options, labelArrow: false } };
}

/** Places of the levels between which the knee lies, if both are shown. */
function bandOf({ knee, points }: LinePanel['lines'][number], positions: readonly number[]): number[] | undefined {
  const isShown = knee?.every((level) => points.some((point) => point.level === level));
  return isShown ? knee?.map((level) => positions[level] ?? level) : undefined;
}

function bandMarks([from = 0, to = 0]: readonly number[], paint: string): Markish[] {
  const middle = [{ x: (from + to) / 2, knee: 'knee' }];
  return [
    rect([{ from, to }], { x1: 'from', x2: 'to', fill: paint, fillOpacity: 0.13 }),
    text(middle, { x: 'x', text: 'knee', frameAnchor: 'top', dy: 4, fill: paint }),
  ];
}

function marksOf(points: readonly LevelPoint[], paint: string, dash: string): Markish[] {
  const ranges = points.map(({ x, spread: [y1, y2] }) => ({ x, y1, y2 }));
  const each = points.flatMap(({ x, repetitions }) => repetitions.map((y) => ({ x, y })));
  const infinite = points.filter(({ isInfinite }) => isInfinite);
  return [
    ruleX(ranges, { x: 'x', y1: 'y1', y2: 'y2', stroke: paint, strokeOpacity: 0.5, strokeWidth: 4 }),
    lineY(points, { x: 'x', y: 'y', stroke: paint, strokeWidth: 2, strokeDasharray: dash }),
    dot(each, { x: 'x', y: 'y', fill: paint, r: 2 }),
    dot(
      points.filter(({ isInfinite }) => !isInfinite),
      { x: 'x', y: 'y', fill: 'var(--card)', stroke: paint, strokeWidth: 2, r: 4.5 },
    ),
    ...(infinite.length === 0 ? [] : [dot(infinite, { x: 'x', y: 'y', fill: paint, symbol: 'triangle', r: 4.5 })]),
  ];
}

/** Lines are shifted sideways: repetitions of several lines would overlap. */
function pointOf(
  { levels, positions, lines: all, heading }: LinePanel & { positions: readonly number[] },
  at: number,
  { level, value, repetitions, count, interval }: LinePanel['lines'][number]['points'][number],
  { high, infinite }: { high: number; infinite: string },
): LevelPoint[] {
  if (count === 0) return [];
  const name = all[at]?.name ?? '';
  const isCut = count > repetitions.length;
  const [least, most] = [Math.min(...repetitions, high), isCut ? high : Math.max(...repetitions)];
  const lowest = repetitions.length === 0 ? infinite : figure(least);
  const spread =
    count === 1 ? 'one repetition' : `median of ${count} repetitions, ${lowest} to ${isCut ? infinite : figure(most)}`;
  const known = interval ? `, 95% interval ${figure(interval[0])} to ${figure(interval[1])}` : '';
  return [
    {
      x: (positions[level] ?? level) + (at - (all.length - 1) / 2) * 0.06,
      y: value ?? high,
      line: name,
      text: `${name}, ${levels[level]}\n${heading}: ${value === null ? infinite : figure(value)} (${spread}${known})`,
      repetitions,
      spread: interval ?? [least, most],
      isInfinite: value === null,
    },
  ];
}

function valuesOf({ value, repetitions }: { value: number | null; repetitions: number[] }): (number | null)[] {
  return [value, ...repetitions];
}
