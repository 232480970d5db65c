/** Input of charts of a figure by level that the page's script draws: medians of the repetitions, with their spread. */
import { medianInterval } from '@topo-bench/comparison';
import { median } from '@topo-bench/stats';
import type { LinePanel } from './chart-data.ts';
import { lineChart, lineLegend } from './line-chart.ts';
import { html, type Markup } from './safe-html.ts';

export type LinePoint = LinePanel['lines'][number]['points'][number];

/**
 * @param cell index of the cell in the report, for the page's filter
 * @param level index of the level on the axis
 * @param repetitions a value for each valid repetition; +∞ where it falls on an unfinished request
 */
export function linePoint(cell: number, level: number, repetitions: readonly number[]): LinePoint {
  const values = repetitions.filter((value) => !Number.isNaN(value));
  const [value, interval] = [median(values), medianInterval(values, 0.05)];
  return {
    cell,
    level,
    value: Number.isFinite(value) ? rounded(value) : null,
    repetitions: values.filter(Number.isFinite).map(rounded),
    count: values.length,
    ...(interval.every(Number.isFinite) && { interval: [rounded(interval[0]), rounded(interval[1])] }),
  };
}

/** CSS variable of the line with this index. */
export function lineColour(at: number): string {
  return `--k-${at % 6}`;
}

/** The same charts without the script, with medians only. */
export function staticPanels(panels: readonly LinePanel[]): Markup {
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const most = Math.max(0, ...panels.flatMap((panel) => medians(panel).filter(Number.isFinite)));
  return html`${lineLegend(names)}<div class="plots">${panels.map((panel) =>
    lineChart({
      ...panel,
      most,
      lines: names.map((name) => ({ name, values: valuesOf(panel, name) })),
    }),
  )}</div>`;
}

function medians(panel: LinePanel): number[] {
  return panel.lines.flatMap(({ name }) => valuesOf(panel, name));
}

function valuesOf({ levels, lines }: LinePanel, name: string): number[] {
  const points = lines.find((line) => line.name === name)?.points ?? [];
  return levels.map((_, at) => points.find(({ level }) => level === at)?.value ?? Number.NaN);
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
