/**
 * The state of the filters in the address: `#show:architecture=sidecar&rate=100+req%2Fs&metric=responseTime`. Names and
 * levels are texts, so a link also fits a page that was written again. A factor that shows all levels is left out.
 */
import type { ChartData } from '../html/chart-data.ts';

const prefix = '#show:';
const metricName = 'metric';

/** Checked levels by factor, in the order of the page's data, and the metric. */
export interface FilterState {
  levels: ReadonlySet<number>[];
  metric: string;
}

/** Empty for a page that shows everything. */
export function fragmentOf({ factors, times }: Pick<ChartData, 'factors' | 'times'>, state: FilterState): string {
  const search = new URLSearchParams();
  for (const [at, { name, levels }] of factors.entries()) {
    const checked = state.levels[at] ?? new Set();
    if (checked.size === levels.length) continue;
    // A factor without any level must differ from one that shows all.
    if (checked.size === 0) search.append(name, '');
    for (const level of checked) search.append(name, levels[level] as string);
  }
  if (times.length > 1 && state.metric !== times[0]) search.append(metricName, state.metric);
  const text = search.toString();
  return text === '' ? '' : `${prefix}${text}`;
}

/** Undefined for the fragment of a section. Unknown factors and levels are ignored. */
export function stateOf(
  { factors, times }: Pick<ChartData, 'factors' | 'times'>,
  fragment: string,
): FilterState | undefined {
  if (!fragment.startsWith(prefix)) return undefined;
  const search = new URLSearchParams(fragment.slice(prefix.length));
  const levels = factors.map(({ name, levels: all }) => {
    const wanted = search.getAll(name);
    return new Set([...all.keys()].filter((at) => wanted.length === 0 || wanted.includes(all[at] as string)));
  });
  const metric = times.find((one) => one === search.get(metricName)) ?? times[0] ?? 'rtt';
  return { levels, metric };
}
