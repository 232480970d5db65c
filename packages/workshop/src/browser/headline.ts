/** The comparison as a sentence: what the cells show, and nothing more. */
import { formatUs } from '@topo-bench/core';
import type { Figure, PredictedCell } from '../predict/predicted-cell.ts';
import type { PageState } from './store.ts';

const ofAssumptions = 'This order follows from assumptions, whose error is unknown.';
const ofReplications = 'The order rests on replications, without the error of the calibration.';

/** `central entity`, `3 dynamic routers`: names for sentences. */
export function spoken(architecture: string): string {
  if (architecture === 'none') return 'no enforcement';
  if (architecture === 'sidecar') return 'sidecars';
  const [, k] = /^dynamic-router-(\d+)$/.exec(architecture) ?? [];
  return k === undefined ? `a ${architecture.replaceAll('-', ' ')}` : `${k} dynamic router${k === '1' ? '' : 's'}`;
}

/** The architecture that enforces with the lowest median, if its interval is apart from the next one. */
export function headline({ cells, settings }: Pick<PageState, 'cells' | 'settings'>, assumed: boolean): string {
  const enforcing = cells.filter(({ architecture }) => architecture !== 'none');
  const stable = enforcing.filter(({ state }) => state === 'stable');
  const full = enforcing.filter(({ state }) => state !== 'stable');
  const rate = `At ${settings.rate} req/s`;
  if (enforcing.length === 0) return '';
  if (stable.length === 0) return `${rate} no architecture can enforce: ${full.map(limitText).join('; ')}.`;
  const [best, next] = stable.toSorted((a, b) => timeOf(a.median) - timeOf(b.median));
  const lost = full.length === 0 ? '' : ` ${capital(full.map(limitText).join('; '))}.`;
  if (!best) return '';
  const median = us(timeOf(best.median));
  if (!next) return `${rate} only ${spoken(best.architecture)} can enforce: median ${median}.${lost}`;
  if (!isApart(best.median, next.median)) {
    return `${rate} no difference is shown between ${spoken(best.architecture)} and ${spoken(next.architecture)}: medians of ${median} and ${us(timeOf(next.median))}.${lost}`;
  }
  const times = (timeOf(next.median) / timeOf(best.median)).toFixed(2);
  return `${rate} enforcement is fastest with ${spoken(best.architecture)}: median ${median}. With ${spoken(next.architecture)} it takes ${times} times as long.${lost} ${assumed ? ofAssumptions : ofReplications}`;
}

function limitText({ architecture, bottleneck, maxRate, state }: PredictedCell): string {
  const verb = state === 'near-capacity' ? 'has almost no time left' : 'cannot keep up';
  return `with ${spoken(architecture)}, ${bottleneck.name} ${verb} (at most about ${rounded(maxRate)} req/s)`;
}

function isApart(low: Figure | undefined, high: Figure | undefined): boolean {
  if (!low?.interval || !high?.interval) return false;
  return low.interval[1] < high.interval[0];
}

function timeOf(given: Figure | undefined): number {
  return given?.value ?? Number.POSITIVE_INFINITY;
}

export function us(value: number, infinite = '∞'): string {
  return formatUs(value, infinite);
}

export function rounded(rate: number): string {
  return Number(rate.toPrecision(2)).toLocaleString('en-US');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
