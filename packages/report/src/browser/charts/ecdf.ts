/** Empirical cumulative distribution: the share of requests up to each time. */
import { line } from '@observablehq/plot';
import type { CellTimes, ChartData } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { dashOf } from '../dashes.ts';
import type { PanelChart, Point } from '../panel.ts';
import { chosenSettings, figure, rangeOf, timeAxis } from './settings.ts';

export function ecdf(data: ChartData, choice: Choice): PanelChart[] {
  const settings = chosenSettings(data, choice);
  const range = rangeOf(settings.flatMap(({ cells }) => cells.flatMap(({ times }) => times.quantilesMs)));
  if (!range) return [];
  return settings.map(({ setting, cells }): PanelChart => {
    const lines = cells.map(({ cell, times }) => ({ cell, points: pointsOf(data.quantiles, times, cell.label) }));
    return {
      title: setting,
      description: 'cumulative distribution',
      x: timeAxis(range, 'ms'),
      y: {
        domain: [0, 1],
        ticks: [0, 0.25, 0.5, 0.75, 1],
        tickFormat: (share: number) => `${share * 100}%`,
        label: 'share of requests, linear',
        labelArrow: false,
      },
      marks: lines.map(({ cell, points }) =>
        line(points, {
          x: 'x',
          y: 'y',
          stroke: `var(${cell.colour})`,
          strokeWidth: 2,
          strokeDasharray: dashOf(data, cell.label),
        }),
      ),
      points: lines.flatMap(({ points }) => points),
    };
  });
}

function pointsOf(quantiles: readonly number[], { quantilesMs }: CellTimes, label: string): Point[] {
  const last = quantilesMs.length - 1;
  return quantilesMs.flatMap((ms, at): Point[] => {
    if (ms === null) return [];
    const share = at === last ? 1 : (quantiles[at] ?? 0);
    const percent = Number((share * 100).toFixed(3));
    return [{ x: ms, y: share, line: label, text: `${label}\n${percent}% took at most ${figure(ms)} ms` }];
  });
}
