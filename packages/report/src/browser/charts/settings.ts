/** Selected cells by setting. Each setting is a panel, and panels share axes for comparison. */
import type { CellTimes, ChartCell, ChartData } from '../../html/chart-data.ts';
import type { Choice } from '../controls.ts';
import { roundTicks } from './round-ticks.ts';

export interface SettingCells {
  setting: string;
  cells: { cell: ChartCell; times: CellTimes }[];
}

export function chosenSettings(data: ChartData, { cells, metric }: Choice): SettingCells[] {
  const chosen = [...cells].flatMap((at) => {
    const cell = data.cells[at];
    const times = cell?.times?.[metric];
    return cell && times ? [{ cell, times }] : [];
  });
  return [...Map.groupBy(chosen, ({ cell }) => cell.setting)].map(([setting, found]) => ({ setting, cells: found }));
}

/** Min and max of the positive values; undefined without any. */
export function rangeOf(values: Iterable<number | null>): [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null || value <= 0) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : undefined;
}

/** A logarithmic axis in milliseconds with round ticks. */
export function timeAxis(range: [number, number], label: string) {
  const [low, high] = range[1] > range[0] * 1.05 ? range : [range[0] * 0.9, range[1] * 1.1];
  return {
    type: 'log' as const,
    domain: [low, high],
    ticks: roundTicks(low, high),
    tickFormat: figure,
    label: logarithmic(label),
    labelArrow: false as const,
  };
}

/** Label of a logarithmic axis. */
export function logarithmic(label: string): string {
  return `${label}, logarithmic`;
}

/** Up to four significant digits below 1000, integers from 1000. No exponent form from 1e-6 up. */
export function figure(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(4)));
}
