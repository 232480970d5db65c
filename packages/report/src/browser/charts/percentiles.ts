/** Latency by percentile. The axis is log(1 − q), which gives the tail more room. */
import { lineY } from '@observablehq/plot';
import type { CellTimes, ChartData } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { dashOf } from '../dashes.ts';
import { type PanelChart, type Point, sideRoom } from '../panel.ts';
import { chosenSettings, figure, rangeOf, timeAxis } from './settings.ts';

export function percentiles(data: ChartData, choice: Choice): PanelChart[] {
  const settings = chosenSettings(data, choice);
  const range = rangeOf(settings.flatMap(({ cells }) => cells.flatMap(({ times }) => times.quantilesMs)));
  const most = Math.max(1000, ...settings.flatMap(({ cells }) => cells.map(({ times }) => times.count)));
  if (!range) return [];
  return settings.map(({ setting, cells }): PanelChart => {
    const lines = cells.map(({ cell, times }) => ({ cell, points: pointsOf(data.quantiles, times, cell.label) }));
    return {
      title: setting,
      description: 'latency by percentile',
      x: (width) => ({
        type: 'log',
        domain: [1, most],
        ticks: ticksOf(most, width),
        tickFormat: percentileName,
        label: 'percentile, on a logarithmic scale of the rest',
        labelArrow: false,
      }),
      y: timeAxis(range, 'ms'),
      marks: lines.map(({ cell, points }) =>
        lineY(points, {
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

/** x is 1 / (1 − q): one request in x takes longer. */
function pointsOf(quantiles: readonly number[], { quantilesMs, count }: CellTimes, label: string): Point[] {
  const last = quantilesMs.length - 1;
  return quantilesMs.flatMap((ms, at): Point[] => {
    if (ms === null) return [];
    const q = quantiles[at] ?? 0;
    const name =
      at === last ? `slowest of ${count}` : at === 0 ? `fastest of ${count}` : `p${Number((q * 100).toFixed(4))}`;
    return [{ x: at === last ? count : 1 / (1 - q), y: ms, line: label, text: `${label}\n${name}, ${figure(ms)} ms` }];
  });
}

/** Distance in pixels below which the labels of two ticks look like one. */
const labelRoom = 30;

/** On a narrow panel the tick of the median replaces that of the min. */
function ticksOf(most: number, width: number): number[] {
  const isNarrow = (Math.log10(2) / Math.log10(most)) * (width - sideRoom) < labelRoom;
  const [min = 1, ...powers] = powersOfTen(most);
  return isNarrow ? [2, ...powers] : [min, 2, ...powers];
}

function powersOfTen(most: number): number[] {
  return Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, power) => 10 ** power);
}

/** 2 is p50, 10 is p90, 1000 is p99.9, and 1 is the min. */
function percentileName(oneOf: number): string {
  return oneOf <= 1 ? 'min' : `p${Number((100 * (1 - 1 / oneOf)).toFixed(6))}`;
}
