/**
 * The study's one figure per architecture and rate: W, the mean over the numbers of services N of (median RTT / N), that is the mean
 * RTT per service. Source: Amiri, Krieger, Zdun, Leymann, Dynamic Data Routing Decisions for Compliant Data Handling.
 */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type Factor, levelsKey } from './factors.ts';

export interface WeightedAverage {
  /** Levels of all factors but `services`. */
  factors: FactorLevels;
  /** In µs per service; NaN unless every number of services has a median. */
  wUs: number;
  /** The same from published medians; NaN unless all are known. */
  publishedWUs: number;
}

/**
 * @param cells settings with their medians in µs; NaN where there is none
 * @returns one entry per setting of the other factors, in the order met; none without a factor `services` of numbers
 */
export function weightedAverages(
  factors: readonly Factor[],
  cells: readonly { factors: FactorLevels; medianUs: number; publishedUs: number }[],
): WeightedAverage[] {
  const sizes = factors.find(({ name }) => name === 'services')?.levels ?? [];
  if (sizes.length === 0 || !sizes.every((size) => typeof size === 'number' && size > 0)) return [];
  const settings = new Map<string, { factors: FactorLevels; bySize: Map<unknown, { medianUs: number; publishedUs: number }> }>();
  for (const { factors: levels, ...medians } of cells) {
    const { services, ...others } = levels;
    const setting = settings.get(levelsKey(others)) ?? { factors: others, bySize: new Map() };
    settings.set(levelsKey(others), setting);
    setting.bySize.set(services, medians);
  }
  return [...settings.values()].map(({ factors: others, bySize }) => {
    const meanOf = (of: 'medianUs' | 'publishedUs'): number =>
      sizes.reduce<number>((sum, size) => sum + (bySize.get(size)?.[of] ?? Number.NaN) / Number(size), 0) / sizes.length;
    return { factors: others, wUs: meanOf('medianUs'), publishedWUs: meanOf('publishedUs') };
  });
}
