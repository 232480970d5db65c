/** What one more step of a factor costs, as findings of a line. */
import { describeIncrease, formatUs } from '@topo-bench/core';
import type { Cost } from './cost.ts';
import { excessText } from './excess.ts';
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
  const verb = (text: string): string => (isOne(step, unit) ? `${text}s` : text);
  const parts = shown.map(({ us, interval, what }) => `${signed(us)} ${what} ${intervalText(interval)}`);
  const rest = open.length > 0 ? `no change ${openText(open)} is shown` : '';
  const range = `(over ${levelRange(points)})`;
  const why = open.some(({ interval }) => !isKnown(interval)) ? ': an interval needs more repetitions' : '';
  if (parts.length === 0) {
    return [
      {
        text: `${where}${rest} for ${more} ${range}${why}.`,
        isShown: false,
        headline: `no change is shown for ${more} ${range}`,
        clause: `${place}${openText(open)}`,
      },
    ];
  }
  const others = rest === '' ? '' : `; ${rest}`;
  const excess = excessText(points, addedTime(shown, points));
  const because = excess === '' ? '' : `; ${excess}`;
  return [
    {
      text: `${where}${more} ${costsAndSavings(shown, verb)}${others} ${range}${why}${because}.`,
      isShown: true,
      headline: `${more} ${range} ${verb(shown.some(({ us }) => us < 0) ? 'change' : 'cost')}`,
      clause: `${place}${parts.join(' and ')}${others.replace(';', ',')}${excess === '' ? '' : ` (${excess})`}`,
    },
  ];
}

/** `costs +1.7 ms of CPU … and saves 95 ms of median round-trip time`, each with its interval. */
function costsAndSavings(shown: readonly Cost[], verb: (text: string) => string): string {
  const more = shown.filter(({ us }) => us >= 0);
  const less = shown.filter(({ us }) => us < 0);
  const costs = more.map(({ us, interval, what }) => `${signed(us)} ${what} ${intervalText(interval)}`);
  const savings = less.map(
    ({ us, interval: [low, high], what }) => `${formatUs(-us)} ${what} [${formatUs(-high)} … ${formatUs(-low)}]`,
  );
  return [
    ...(costs.length > 0 ? [`${verb('cost')} ${costs.join(' and ')}`] : []),
    ...(savings.length > 0 ? [`${verb('save')} ${savings.join(' and ')}`] : []),
  ].join(' and ');
}

/** From the lowest to the highest level, in µs; NaN where the cost of time is not shown. */
function addedTime(shown: readonly Cost[], points: readonly TrendPoint[]): number {
  const time = shown.find(({ isTime }) => isTime);
  const [low, high] = [points[0]?.x ?? Number.NaN, points.at(-1)?.x ?? Number.NaN];
  return time ? (time.us * (high - low)) / time.step : Number.NaN;
}

function isOne(step: number, unit: Trend['unit']): boolean {
  return unit !== 'count' || step === 1;
}

function levelRange(points: readonly TrendPoint[]): string {
  return `${points[0]?.level} … ${points.at(-1)?.level}`;
}

/** `of CPU at the routers per request or of median round-trip time`, with the intervals that are known. */
function openText(open: readonly Cost[]): string {
  return open
    .map(({ what, interval }) => (isKnown(interval) ? `${what} ${intervalText(interval)}` : what))
    .join(' or ');
}

function isKnown(interval: readonly [number, number]): boolean {
  return interval.some(Number.isFinite);
}

function intervalText([low, high]: readonly [number, number]): string {
  return `[${signed(low)} … ${signed(high)}]`;
}

function signed(us: number): string {
  return `${us < 0 ? '−' : '+'}${formatUs(Math.abs(us))}`;
}
