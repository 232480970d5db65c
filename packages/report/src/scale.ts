/**
 * The horizontal axis of a chart. Positions are percentages of the width, in a page and in a terminal. Charts can
 * therefore stretch without stretching their text.
 */
import { formatUs } from '@topo-bench/core';

export interface Tick {
  /** Percent of the width. */
  at: number;
  label: string;
}

export interface Scale {
  kind: 'linear' | 'logarithmic';
  /** Position in percent of the width; +∞ has its own zone at the right end. */
  at(us: number): number;
  ticks: Tick[];
  /** Start of the zone of +∞; undefined without infinite values. */
  infiniteFrom: number | undefined;
}

const margin = 2;
const infiniteZone = 10;

/** Min ratio of largest to smallest value for a logarithmic axis. A linear axis would flatten most boxes to a line. */
const logarithmicFrom = 20;

/** @param valuesUs all values of the chart, in µs, from zero to +∞ */
export function scaleFor(valuesUs: readonly number[]): Scale {
  const finite = valuesUs.filter((value) => Number.isFinite(value) && value > 0);
  const low = finite.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = finite.reduce((most, value) => Math.max(most, value), 0);
  const infinite = valuesUs.includes(Number.POSITIVE_INFINITY);
  const end = infinite ? 100 - infiniteZone : 100 - margin;
  const infiniteFrom = infinite ? end + margin : undefined;
  const logarithmic = high > low * logarithmicFrom;
  const [from, to] = logarithmic ? [Math.log10(low), Math.log10(high)] : [0, high || 1];
  const at = (us: number): number => {
    if (us === Number.POSITIVE_INFINITY) return 100 - infiniteZone / 2 + margin / 2;
    const value = logarithmic ? Math.log10(Math.max(us, low)) : us;
    return margin + ((value - from) / (to - from || 1)) * (end - margin);
  };
  const values = logarithmic ? logarithmicTicks(low, high) : linearTicks(high);
  const ticks = values.map((us) => ({ at: at(us), label: formatUs(us) }));
  return { kind: logarithmic ? 'logarithmic' : 'linear', at, ticks, infiniteFrom };
}

/** Powers of ten. A short range also gets their multiples by two and five. */
export function logarithmicTicks(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades > 3 ? [1] : decades > 2 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const factor of factors) ticks.push(factor * 10 ** power);
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/** About four round steps from zero, in any unit. */
export function linearTicks(high: number): number[] {
  const rough = (high || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor((high || 1) / step) + 1 }, (_, index) => index * step);
}
