/** Times over every ordered factor that varies: charts of medians and of p95, with the table behind them. */
import { factorHeading, factorWords } from '@topo-bench/core';
import { infiniteText } from '../../figure-text.ts';
import type { ReportModel } from '../../model/report-model.ts';
import { type Trend, type TrendLine, trendsOf } from '../../trend/trend.ts';
import { roundTripTime, type TrendFigure, titleOf } from '../../trend/trend-figure.ts';
import type { TrendPoint } from '../../trend/trend-point.ts';
import { trendTable } from '../../trend/trend-table.ts';
import { drawnFigure } from '../chart-figure.ts';
import { dataTable, folded } from '../data-table.ts';
import { colourClass } from '../palette.ts';
import { type Content, html, type Markup } from '../safe-html.ts';
import { type Section, section } from '../section.ts';
import { trendChart, trendLegend } from '../trend-chart.ts';

/** Settings that are drawn without the script; further ones are in the table alone. */
const maxPanels = 6;

/** A section per ordered factor; empty without one. */
export function trendSections(
  { groups, drainUs }: Pick<ReportModel, 'groups' | 'drainUs'>,
  figure: TrendFigure = roundTripTime,
): Section[] {
  return trendsOf({ groups }, figure).map((trend) => trendSection(trend, infiniteText(drainUs)));
}

function trendSection(trend: Trend, infinite: string): Section {
  const { figure, factor, panels } = trend;
  const table = trendTable(trend, infinite, 'every-row');
  const title = `${titleOf(figure)} over ${factorWords(factor.name)}`;
  const hasKnee = panels.some(({ lines }) => lines.some(({ knee }) => knee?.before !== undefined));
  return section(
    table.id,
    title,
    `${figure.note ? `${figure.note} ` : ''}Marks: median over the repetitions. Bars: its 95% interval, with fewer than six repetitions the smallest and the largest. Dots: repetitions.${hasKnee ? ' Bands: a knee lies within.' : ''}`,
    drawnFigure({
      title: 'Median and p95',
      name: table.id,
      draw: 'lines',
      lead: '',
      without: staticCharts(trend, infinite),
    }),
    folded('The figures as a table', [
      dataTable(table.title, table.columns, table.rows, table.cells),
      html`<p class="note">${table.note}</p>`,
    ]),
  );
}

/** The same charts without the script. */
function staticCharts(trend: Trend, infinite: string): Markup {
  const { panels, factor } = trend;
  const drawn = panels.slice(0, maxPanels).map(({ title, lines }) => [
    title !== '' && html`<h3>${title}</h3>`,
    trendLegend(
      lines.map((line) => ({ name: lineName(line, factorHeading(factor.name)), colour: colourOf(trend, line) })),
      lines.some(({ knee }) => knee?.before !== undefined),
    ),
    html`<div class="plots">${charts(trend, lines, infinite)}</div>`,
  ]);
  const rest = panels.length - maxPanels;
  return html`${drawn}${rest > 0 && html`<p class="note">${rest} further settings are in the table.</p>`}`;
}

function charts(trend: Trend, lines: readonly TrendLine[], infinite: string): Content {
  const { figure, factor } = trend;
  const labels = new Map(lines.flatMap(({ points }) => points.map(({ x, level }) => [x, String(level)] as const)));
  const chart = (title: string, spreadOf: (point: TrendPoint) => TrendPoint['median']): Content =>
    trendChart({
      title,
      axis: factorHeading(factor.name),
      labels,
      infinite,
      lines: lines.map((line) => ({
        name: line.name,
        colour: colourOf(trend, line),
        points: line.points.map((point) => ({ x: point.x, spread: spreadOf(point) })),
        knee: line.knee,
      })),
    });
  return [chart(`Median ${figure.name}`, ({ median }) => median), chart(`p95 of ${figure.name}s`, ({ p95 }) => p95)];
}

/** The title of the panel has the rest of its setting. */
function lineName({ label }: TrendLine, heading: string): string {
  return label === '' ? `over ${heading}` : label;
}

function colourOf({ lineFactor }: Trend, { level }: TrendLine): string {
  return colourClass(lineFactor, level ?? '');
}
