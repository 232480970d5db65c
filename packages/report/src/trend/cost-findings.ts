/** What one more step of a factor costs, as findings of a line. */
import { describeIncrease, formatUs } from '@topo-bench/core';
import type { Cost } from './cost.ts';
import type { Finding } from './finding.ts';
import type { Trend, TrendLine } from './trend.ts';
import type { TrendPoint } from './trend-point.ts';

export function costFindings({ factor, unit, isLoad }: Trend, { name, costs, points }: TrendLine): Finding[] {
  if (isLoad || costs.length === 0) return [];
  const [{ step }] = costs as [Cost];
  const more = describeIncrease(factor.name, step, unit);
  const place = name === '' ? '' : `under ${name} `;
  const where = place.replace(/ $/, ', ');
  const shown = costs.filter(({ interval: [low, high] }) => low > 0 || high < 0);
  const open = costs.filter((one) => !shown.includes(one));
  const verb = isOne(step, unit) ? 'costs' : 'cost';
  const parts = shown.map(({ us, interval, what }) => `${signed(us)} ${what} ${intervalText(interval)}`);
  const rest = open.map(({ interval, what }) => `no change ${what} is shown ${intervalText(interval)}`);
  const range = `(over ${levelRange(points)})`;
  if (parts.length === 0) {
    const text = rest.join(' and ');
    return [
      {
        text: `${where}${text} for ${more} ${range}.`,
        isShown: false,
        headline: `no change is shown for ${more} ${range}`,
        clause: `${place}${open.map(({ interval, what }) => `${what} ${intervalText(interval)}`).join(' and ')}`,
      },
    ];
  }
  const others = rest.length > 0 ? `; ${rest.join(' and ')}` : '';
  return [
    {
      text: `${where}${more} ${verb} ${parts.join(' and ')}${others} ${range}.`,
      isShown: true,
      headline: `${more} ${range} ${verb}`,
      clause: `${place}${parts.join(' and ')}${others.replace(';', ',')}`,
    },
  ];
}

function isOne(step: number, unit: Trend['unit']): boolean {
  return unit !== 'count' || step === 1;
}

function levelRange(points: readonly TrendPoint[]): string {
  return `${points[0]?.level} … ${points.at(-1)?.level}`;
}

function intervalText([low, high]: readonly [number, number]): string {
  if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY)
    return '[interval unknown, more repetitions are needed]';
  return `[${signed(low)} … ${signed(high)}]`;
}

function signed(us: number): string {
  return `${us < 0 ? '−' : '+'}${formatUs(Math.abs(us))}`;
}
