/**
 * Achieved rate as a percentage of the offered rate. The sent rate is 100% if the generator kept its schedule. The
 * answered rate is 100% if the system kept up.
 */
import { dot, ruleY } from '@observablehq/plot';
import type { ChartData } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import type { PanelChart, Point } from '../panel.ts';
import { figure } from './settings.ts';

interface RatePoint extends Point {
  offered: number;
  colour: string;
  answered: boolean;
}

export function rates(data: ChartData, { cells }: Choice): PanelChart[] {
  const points = [...cells].flatMap((at) => pointsOf(data, at));
  if (points.length === 0) return [];
  const offered = [...new Set(points.map((point) => point.offered))];
  const shares = points.map(({ y }) => y);
  return [
    {
      title: '',
      description: 'offered against achieved rate',
      x: {
        type: offered.length > 1 ? 'log' : 'linear',
        domain: [Math.min(...offered) * 0.8, Math.max(...offered) * 1.2],
        ticks: offered,
        tickFormat: figure,
        label: `offered, requests per second${offered.length > 1 ? ', logarithmic' : ''}`,
        labelArrow: false,
      },
      y: {
        domain: [Math.min(90, ...shares) - 2, Math.max(110, ...shares) + 2],
        ticks: 6,
        tickFormat: (percent: number) => `${percent}%`,
        label: 'achieved, of offered, linear',
        labelArrow: false,
      },
      marks: [
        ruleY([100], { stroke: 'currentColor', strokeOpacity: 0.6, strokeDasharray: '3 3' }),
        dot(
          points.filter(({ answered }) => answered),
          { x: 'x', y: 'y', stroke: (point: RatePoint) => `var(${point.colour})`, r: 5, strokeWidth: 1.5 },
        ),
        dot(
          points.filter(({ answered }) => !answered),
          { x: 'x', y: 'y', fill: (point: RatePoint) => `var(${point.colour})`, r: 3 },
        ),
      ],
      points,
    },
  ];
}

/** Shifts levels horizontally, because they would overlap. Only the vertical position is to be read. */
function pointsOf({ cells }: ChartData, at: number): RatePoint[] {
  const cell = cells[at];
  if (!cell) return [];
  const labels = [...new Set(cells.map(({ label }) => label))];
  const aside = 1 + (labels.indexOf(cell.label) - (labels.length - 1) / 2) * 0.03;
  return cell.rates.flatMap(({ repetition, offered, sent, answered }): RatePoint[] => {
    const name = `${[cell.label, cell.setting].filter(Boolean).join(', ')}, repetition ${repetition}`;
    const point = (rps: number, what: string): RatePoint => ({
      x: offered * aside,
      y: (rps / offered) * 100,
      line: `${cell.label} ${what}`,
      text: `${name}\n${what} ${figure(rps)}/s of ${figure(offered)}/s offered`,
      offered,
      colour: cell.colour,
      answered: what === 'answered',
    });
    return [point(sent, 'sent'), ...(answered === null ? [] : [point(answered, 'answered')])];
  });
}
