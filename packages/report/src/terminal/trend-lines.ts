/** Times over ordered factors in a terminal: for each factor a chart per setting, and the table. */
import { factorHeading, factorWords } from '@topo-bench/core';
import { infiniteText } from '../figure-text.ts';
import type { ReportModel } from '../model/report-model.ts';
import { levelAxisLabel, levelPositions } from '../trend/level-positions.ts';
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
const chartedTimes = ['median', 'p95'] as const;

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
    .flatMap((panel) =>
      chartedTimes.map((time) =>
        chartBlock(trend, panel, time, { infinite, width: Math.min(maxWidth, columns), styles }),
      ),
    );
}

interface ChartSettings {
  infinite: string;
  /** In characters. */
  width: number;
  styles: Styles;
}

function chartBlock(
  { figure, factor }: Trend,
  { title, lines }: TrendPanel,
  time: 'median' | 'p95',
  { infinite, width, styles }: ChartSettings,
): string[] {
  const xs = factor.levels.map(axisValue);
  const places = levelPositions(xs);
  const placeOf = (x: number): number => places[xs.indexOf(x)] ?? 0;
  const chart = lineChart(
    {
      axis: printable(levelAxisLabel(factorHeading(factor.name), xs)),
      levels: factor.levels.map((level, at) => ({ label: printable(String(level)), at: places[at] ?? 0 })),
      lines: lines.map(({ label, points, knee }) => ({
        name: printable(label) || time,
        points: points.map((point) => ({ at: placeOf(point.x), spread: point[time] })),
        ...(knee?.before !== undefined && { knee: [placeOf(knee.after), placeOf(knee.before)] as const }),
      })),
      infinite,
    },
    width,
  );
  const where = title === '' ? '' : `, ${printable(title)}`;
  const times = time === 'median' ? `Median ${figure.name}` : `p95 of ${figure.name}s`;
  return [styles.bold(`${times} over ${factorWords(factor.name)}${where}`), ...chart];
}
