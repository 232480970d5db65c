/** Times over ordered factors in a terminal: for each factor a chart per setting, and the table. */
import { factorHeading, factorWords } from '@topo-bench/core';
import { infiniteText } from '../figure-text.ts';
import type { ReportModel } from '../model/report-model.ts';
import { levelPositions } from '../trend/level-positions.ts';
import { type Trend, type TrendPanel, trendsOf } from '../trend/trend.ts';
import { roundTripTime, type TrendFigure } from '../trend/trend-figure.ts';
import { axisValue } from '../trend/trend-point.ts';
import { trendTable } from '../trend/trend-table.ts';
import { lineChart, minChartWidth } from './line-chart.ts';
import { studyTableLines } from './study-table-lines.ts';
import { printable, type Styles } from './text.ts';

/** Charts of a factor; further settings are in the table alone. */
const maxCharts = 3;
/** Two levels are as clear in the table. */
const minLevels = 3;
const maxWidth = 120;

/** Blocks of lines; none without an ordered factor that varies. */
export function trendLines(
  { groups, drainUs }: Pick<ReportModel, 'groups' | 'drainUs'>,
  columns: number,
  styles: Styles,
  figure: TrendFigure = roundTripTime,
): string[][] {
  const infinite = infiniteText(drainUs);
  return trendsOf({ groups }, figure).flatMap((trend) => [
    ...chartBlocks(trend, infinite, columns, styles),
    studyTableLines(trendTable(trend, infinite), columns, styles),
  ]);
}

function chartBlocks(trend: Trend, infinite: string, columns: number, styles: Styles): string[][] {
  if (trend.factor.levels.length < minLevels || columns < minChartWidth) return [];
  return trend.panels
    .slice(0, maxCharts)
    .map((panel) => chartBlock(trend, panel, infinite, Math.min(maxWidth, columns), styles));
}

function chartBlock(
  { figure, factor }: Trend,
  { title, lines }: TrendPanel,
  infinite: string,
  width: number,
  styles: Styles,
): string[] {
  const xs = factor.levels.map(axisValue);
  const places = levelPositions(xs);
  const placeOf = (x: number): number => places[xs.indexOf(x)] ?? 0;
  const chart = lineChart(
    {
      axis: printable(factorHeading(factor.name)),
      levels: factor.levels.map((level, at) => ({ label: printable(String(level)), at: places[at] ?? 0 })),
      lines: lines.map(({ label, points }) => ({
        name: printable(label) || 'median',
        points: points.map(({ x, median }) => ({ at: placeOf(x), spread: median })),
      })),
      infinite,
    },
    width,
  );
  const where = title === '' ? '' : `, ${printable(title)}`;
  return [styles.bold(`Median ${figure.name} over ${factorWords(factor.name)}${where}`), ...chart];
}
