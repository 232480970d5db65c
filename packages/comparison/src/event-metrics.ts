/** Figures of planned events: requests that were not served per crash, and times until recovery. */
import type { Cell, EventEffects } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { lower, type Metric, type MetricRows } from './metric.ts';

export const eventRows: NonNullable<MetricRows['single']> = {
  'lost.perCrash': perCrash(({ lost }) => lost),
  'failed.perCrash': perCrash(({ failed }) => failed),
  'late.perCrash': perCrash(({ late }) => late),
  'unserved.perCrash': perCrash(({ lost, failed, late }) => lost + failed + late),
  'lost.rate': shareOfClass('lost'),
  'failed.rate': shareOfClass('failed'),
  'late.rate': shareOfClass('late'),
  'crash.detected': timeOfCrash(({ detectedUs }) => detectedUs),
  'crash.firstSuccess': timeOfCrash(({ firstSuccessUs }) => firstSuccessUs),
  'crash.recovered': timeOfCrash(({ recoveredUs }) => recoveredUs),
};

export const eventAliases: NonNullable<MetricRows['aliases']> = {
  lost: 'lost.perCrash',
  unserved: 'unserved.perCrash',
  recovered: 'crash.recovered',
};

function crashesOf({ events = [] }: Cell): EventEffects[] {
  return events.flatMap(({ kind, effects }) => (kind === 'crash' && effects ? [effects] : []));
}

/** Mean over the crashes of a repetition; undefined without any. */
function perCrash(of: (effects: EventEffects) => number): Omit<Metric, 'name'> {
  return lower('count', (cell) => mean(crashesOf(cell).map(of)));
}

/**
 * Median over the crashes that have such a time: one that is not over before the next event, +∞, does not decide for
 * all.
 */
function timeOfCrash(of: (effects: EventEffects) => number | undefined): Omit<Metric, 'name'> {
  const middle = (cell: Cell): number | undefined => {
    const times = crashesOf(cell).flatMap((effects) => of(effects) ?? []);
    return times.length === 0 ? undefined : median(times);
  };
  return { ...lower('us', middle), scale: 'ratio' };
}

function shareOfClass(name: 'lost' | 'failed' | 'late'): Omit<Metric, 'name'> {
  return lower('share', ({ classes }) => classes && classes[name] / Math.max(1, classes.scheduled));
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
