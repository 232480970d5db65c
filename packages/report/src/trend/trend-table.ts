/** The figures of a trend as a table, for the terminal, Markdown and the page. */
import { factorHeading, factorWords } from '@topo-bench/core';
import { formatMs, infiniteText } from '../figure-text.ts';
import type { ReportModel } from '../model/report-model.ts';
import { numberColumn, type StudyTable, textColumn } from '../study-table.ts';
import type { Spread } from './spread.ts';
import { expectedGrowth, type Trend, type TrendLine, trendsOf } from './trend.ts';
import { roundTripTime, type TrendFigure, titleOf } from './trend-figure.ts';
import type { TrendPoint } from './trend-point.ts';

/** A row per line and level; empty without an ordered factor that varies. */
export function trendTables(
  { groups, drainUs }: Pick<ReportModel, 'groups' | 'drainUs'>,
  figure: TrendFigure = roundTripTime,
): StudyTable[] {
  return trendsOf({ groups }, figure).map((trend) => trendTable(trend, infiniteText(drainUs)));
}

/** Anchor of the section, and name of its figure. */
export function trendId({ factor }: Trend): string {
  return `trend-${factor.name}`;
}

/** @param names on every row of a line, because a filter may hide its first row; default: on the first one */
export function trendTable(trend: Trend, infinite: string, names: 'first-row' | 'every-row' = 'first-row'): StudyTable {
  const { figure, factor, lineFactor, panels } = trend;
  const lines = panels.flatMap(({ lines }) => lines);
  const hasKnee = lines.some(({ knee }) => knee);
  const hasLoop = lines.some(({ points }) => points.some(({ limit }) => limit.role !== undefined));
  const kinds = new Set(lines.flatMap(({ points }) => points.map(({ median }) => median.kind)));
  return {
    id: trendId(trend),
    title: `${titleOf(figure)} over ${factorWords(factor.name)}, in ms`,
    note: `Spread: ${kinds.has('interval') ? 'the 95% interval over six or more repetitions' : 'smallest and largest repetition'}${kinds.size > 1 ? ', of fewer their smallest and largest' : ''}.${hasKnee ? kneeNote(trend) : ''}`,
    columns: [
      ...(lineFactor || panels.length > 1 ? [textColumn(lineFactor ? factorHeading(lineFactor.name) : 'setting')] : []),
      numberColumn(factorHeading(factor.name)),
      ...['median', 'p95'].flatMap((heading) => [numberColumn(heading), textColumn(`${heading} spread`)]),
      ...(hasKnee ? [textColumn('knee')] : []),
      ...(hasLoop ? [textColumn('event loop')] : []),
    ],
    rows: lines.flatMap((line) =>
      line.points.map((point, at) => [
        ...(lineFactor || panels.length > 1 ? [at === 0 || names === 'every-row' ? line.name : ''] : []),
        String(point.level),
        ...[point.median, point.p95].flatMap((spread) => spreadTexts(spread, infinite)),
        ...(hasKnee ? [kneeText(line, point)] : []),
        ...(hasLoop ? [busyText(point)] : []),
      ]),
    ),
    cells: lines.flatMap(({ points }) => points.map(({ cell }) => cell)),
  };
}

function kneeNote({ figure, factor: { name } }: Trend): string {
  const isProportional = expectedGrowth(figure, name) === 'proportional';
  const inProportion = isProportional ? ` in proportion to ${factorWords(name)}` : '';
  return ` Within: shown to be less than twice the lowest level${inProportion}. Beyond: shown to be more. Open: neither.`;
}

function spreadTexts({ value, low, high, values }: Spread, infinite: string): [string, string] {
  const interval = values.length < 2 ? '' : `[${formatMs(low, infinite)} … ${formatMs(high, infinite)}]`;
  return [formatMs(value, infinite), interval];
}

function kneeText({ knee, kneeLevels }: TrendLine, { x }: TrendPoint): string {
  if (!knee || kneeLevels.find((level) => level.x === x)?.values.length === 0) return '–';
  if (x <= knee.after) return 'within';
  return knee.before !== undefined && x >= knee.before ? 'beyond' : 'open';
}

/** The busiest role and its use, and the idle share of the host. */
function busyText({ limit: { role, eventLoop, idlePercent }, valid }: TrendPoint): string {
  if (valid.length === 0 || role === undefined) return '–';
  const idle = Number.isNaN(idlePercent) ? '' : `, host ${Math.round(idlePercent)}% idle`;
  return `${role} ${Math.round(100 * eventLoop)}%${idle}`;
}
