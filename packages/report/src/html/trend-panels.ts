/** Input of the trend charts that the page's script draws: a panel of medians and one of p95 for each setting. */
import { factorHeading } from '@topo-bench/core';
import type { ReportModel } from '../model/report-model.ts';
import { levelAxisLabel, levelPositions } from '../trend/level-positions.ts';
import type { Spread } from '../trend/spread.ts';
import { type Trend, type TrendLine, type TrendPanel, trendsOf } from '../trend/trend.ts';
import { roundTripTime, type TrendFigure } from '../trend/trend-figure.ts';
import { axisValue, type TrendPoint } from '../trend/trend-point.ts';
import { trendId } from '../trend/trend-table.ts';
import type { LinePanel } from './chart-data.ts';
import { linePoint } from './line-panel.ts';
import { colourVariable } from './palette.ts';

/** By name of the figure; empty without an ordered factor that varies. */
export function trendPanels(
  { groups }: Pick<ReportModel, 'groups'>,
  figure: TrendFigure = roundTripTime,
): Record<string, LinePanel[]> {
  return Object.fromEntries(
    trendsOf({ groups }, figure).map((trend) => [trendId(trend), trend.panels.flatMap((one) => panelsOf(trend, one))]),
  );
}

function panelsOf(trend: Trend, panel: TrendPanel): LinePanel[] {
  const { figure, factor } = trend;
  const xs = factor.levels.map(axisValue);
  const panelOf = (title: string, heading: string, spreadOf: (point: TrendPoint) => Spread): LinePanel => ({
    title: panel.title === '' ? title : `${panel.title}: ${title}`,
    heading,
    axis: levelAxisLabel(factorHeading(factor.name), xs),
    levels: factor.levels.map(String),
    positions: levelPositions(xs).map((share) => Number((share * (xs.length - 1)).toFixed(3))),
    lines: labelsOf(trend).map(({ label, colour }) => {
      const line = panel.lines.find((one) => one.label === label);
      const points = line?.points ?? [];
      return {
        name: label === '' ? `over ${factorHeading(factor.name)}` : label,
        colour,
        ...kneeOf(line, xs),
        points: points.map((point) =>
          linePoint(
            point.cell,
            xs.indexOf(point.x),
            spreadOf(point).values.map((us) => us / 1e3),
          ),
        ),
      };
    }),
  });
  return [
    panelOf('median', `median ${figure.name} (ms)`, ({ median }) => median),
    panelOf('p95', `p95 of ${figure.name} (ms)`, ({ p95 }) => p95),
  ];
}

/** The lines of all panels: a line has the same colour and dashes in each. */
function labelsOf({ panels, lineFactor }: Trend): { label: string; colour: string }[] {
  const lines = panels.flatMap((panel) => panel.lines);
  return [...new Map(lines.map(({ label, level }) => [label, level]))].map(([label, level]) => ({
    label,
    colour: colourVariable(lineFactor, level ?? ''),
  }));
}

function kneeOf(line: TrendLine | undefined, xs: readonly number[]): Pick<LinePanel['lines'][number], 'knee'> {
  const { after, before } = line?.knee ?? {};
  return after === undefined || before === undefined ? {} : { knee: [xs.indexOf(after), xs.indexOf(before)] };
}
