/**
 * The study's single figure per architecture and rate: W, the mean RTT per service. W is the mean of (median RTT / N)
 * over the numbers of services N. Source: Amiri, Krieger, Zdun, Leymann, Dynamic Data Routing Decisions for Compliant
 * Data Handling.
 */
import { cellKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { Level } from '@topo-bench/report/model';
import { publishedMedianUs } from './published-medians.ts';
import type { RoutingModel } from './routing-model.ts';

/** W in µs per service; NaN unless every number of services has a median. */
export interface PerService {
  us: number;
  /** W is a lower bound: some medians are unfinished requests, which count with their wait. */
  atLeast: boolean;
}

export interface WeightedAverage {
  /** Levels of all factors except `services`. */
  factors: FactorLevels;
  measured: PerService;
  published: PerService;
}

/** The numbers of services that W covers; none if they are not a factor. */
export function sizesOf({ factors }: Pick<RoutingModel, 'factors'>): number[] {
  const levels: Level[] = factors.find(({ name }) => name === 'services')?.levels ?? [];
  return levels.every((level) => typeof level === 'number' && level > 0) ? (levels as number[]) : [];
}

/** One entry per setting of the factors other than `services`, in reading order. */
export function weightedAverages(
  report: Pick<RoutingModel, 'factors' | 'groups' | 'published' | 'drainUs'>,
): WeightedAverage[] {
  const sizes = sizesOf(report);
  if (sizes.length === 0) return [];
  const settings = new Map<
    string,
    { factors: FactorLevels; measured: Map<number, number>; published: Map<number, number> }
  >();
  for (const { factors, figures } of report.groups) {
    const { services, ...others } = factors;
    const setting = settings.get(cellKey(others)) ?? { factors: others, measured: new Map(), published: new Map() };
    settings.set(cellKey(others), setting);
    setting.measured.set(services as number, figures?.rtt.medianUs ?? Number.NaN);
    setting.published.set(services as number, publishedMedianUs(report.published, factors) ?? Number.NaN);
  }
  return [...settings.values()].map(({ factors, measured, published }) => ({
    factors,
    measured: perService(sizes, measured, report.drainUs),
    published: perService(sizes, published, report.drainUs),
  }));
}

function perService(sizes: readonly number[], medians: ReadonlyMap<number, number>, drainUs: number): PerService {
  const maxWaitUs = Number.isNaN(drainUs) ? Number.POSITIVE_INFINITY : drainUs;
  let sum = 0;
  let atLeast = false;
  for (const size of sizes) {
    const median = medians.get(size) ?? Number.NaN;
    if (median === Number.POSITIVE_INFINITY) atLeast = true;
    sum += Math.min(median, maxWaitUs) / size;
  }
  return { us: sum / sizes.length, atLeast };
}
