/** Lines over the levels of a factor as plain text, for a terminal: marks, their spread, and dots between them. */
import { type Scale, scaleFor } from '../scale.ts';
import type { Spread } from '../trend/spread.ts';
import { kneeLines } from './knee-lines.ts';
import { axisLine } from './text-box.ts';

export interface TextLineChart {
  /** Label of the horizontal axis. */
  axis: string;
  /** Levels with their place on the axis, from 0 to 1. */
  levels: readonly { label: string; at: number }[];
  /** `at`: place of the point's level; `spread` in µs. */
  lines: readonly TextLine[];
  /** Text for an infinite time. */
  infinite: string;
}

export interface TextLine {
  name: string;
  points: readonly { at: number; spread: Spread }[];
  /** Places of the levels between which the knee lies; absent without a knee. */
  knee?: readonly [after: number, before: number];
}

const marks = ['o', 'x', '+', '*', '#', '@'];
const several = '&';
const rows = 11;
/** Space left and right of the first and the last level, and between the marks of two lines at one level. */
const margin = 4;
const apart = 2;

/** Min width of the whole chart, in characters. */
export const minChartWidth = 50;

/** @param width in characters, at least `minChartWidth` */
export function lineChart({ axis, levels, lines, infinite }: TextLineChart, width: number): string[] {
  const scale = textScale(lines);
  const labels = rowLabels(scale, infinite);
  const labelWidth = Math.max(...labels.map((label) => label.length));
  const plotWidth = width - labelWidth - 2;
  const grid = Array.from({ length: rows }, () => Array.from({ length: plotWidth }, () => ' '));
  const place = (at: number): number => Math.round(margin + at * (plotWidth - 1 - 2 * margin));
  const column = (at: number, line: number): number => place(at) + shift(line, lines.length);
  const drawn = lines.map(({ points }, line) =>
    points
      .filter(({ spread }) => !Number.isNaN(spread.value))
      .map(({ at, spread }) => ({ column: column(at, line), row: rowOf(scale, spread.value), spread })),
  );
  for (const points of drawn) drawPath(grid, points);
  for (const points of drawn) for (const point of points) drawSpread(grid, scale, point);
  for (const [line, points] of drawn.entries()) for (const point of points) drawMark(grid, point, markOf(line));
  const ticks = levels.map(({ label, at }) => ({ label, at: (100 * column(at, 0)) / (plotWidth - 1) }));
  const heading = `${axis}; times on a ${scale.kind} axis`;
  const knees = lines.flatMap(({ name, knee }, line) =>
    knee ? [{ from: place(knee[0]), to: place(knee[1]), name, mark: markOf(line) }] : [],
  );
  const below = axisLine({ ...scale, infiniteFrom: undefined, ticks }, plotWidth, '');
  return [
    ...grid.map((cells, row) => `${labels[row]?.padStart(labelWidth)} │${cells.join('')}`.trimEnd()),
    `${' '.repeat(labelWidth + 1)}└${'─'.repeat(plotWidth)}`,
    `${' '.repeat(labelWidth + 2)}${below}`,
    ...kneeLines(knees, plotWidth).map((text) => `${' '.repeat(labelWidth + 2)}${text}`),
    `${' '.repeat(labelWidth + 2)}${heading.padStart(Math.floor((plotWidth + heading.length) / 2))}`,
    ...legend(lines, grid, width),
  ];
}

function textScale(lines: TextLineChart['lines']): Scale {
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ spread: { value, low, high } }) => [value, low, high]),
  );
  return scaleFor(values.filter((value) => !Number.isNaN(value)));
}

/** Row of a time, from the top. */
function rowOf(scale: Scale, us: number): number {
  return Math.round(((100 - scale.at(us)) / 100) * (rows - 1));
}

/** The tick of each row, or nothing. */
function rowLabels(scale: Scale, infinite: string): string[] {
  const labels = Array.from({ length: rows }, () => '');
  for (const { at, label } of scale.ticks) labels[Math.round(((100 - at) / 100) * (rows - 1))] = label;
  if (scale.infiniteFrom !== undefined) labels[rowOf(scale, Number.POSITIVE_INFINITY)] = infinite;
  return labels;
}

function shift(line: number, count: number): number {
  return Math.round((line - (count - 1) / 2) * Math.min(apart, (2 * margin) / count));
}

interface Place {
  column: number;
  row: number;
}

/** Dots from point to point, one in each column. */
function drawPath(grid: string[][], points: readonly Place[]): void {
  for (const [at, to] of points.entries()) {
    const from = points[at - 1];
    for (let column = (from?.column ?? to.column) + 1; from && column < to.column; column++) {
      const share = (column - from.column) / (to.column - from.column);
      put(grid, column, Math.round(from.row + share * (to.row - from.row)), '.');
    }
  }
}

function drawSpread(grid: string[][], scale: Scale, { column, spread }: Place & { spread: Spread }): void {
  const [top, bottom] = [rowOf(scale, spread.high), rowOf(scale, spread.low)];
  for (let row = top; row <= bottom; row++) put(grid, column, row, '|');
}

function drawMark(grid: string[][], { column, row }: Place, mark: string): void {
  const covered = grid[row]?.[column] ?? ' ';
  put(grid, column, row, marks.includes(covered) && covered !== mark ? several : mark);
}

function put(grid: string[][], column: number, row: number, character: string): void {
  const cells = grid[row];
  if (cells && column >= 0 && column < cells.length) cells[column] = character;
}

function markOf(line: number): string {
  return marks[line % marks.length] as string;
}

/** Lines break between entries only. */
function legend(lines: TextLineChart['lines'], grid: readonly string[][], width: number): string[] {
  const names = lines.map(({ name }, line) => `${markOf(line)} ${name}`);
  const isCovered = grid.some((cells) => cells.includes(several));
  const texts: string[] = [];
  for (const entry of [...names, ...(isCovered ? [`${several} several`] : []), '| spread']) {
    const longer = `${texts.at(-1)}   ${entry}`;
    if (texts.length > 0 && longer.length <= width) texts[texts.length - 1] = longer;
    else texts.push(entry);
  }
  return texts;
}
