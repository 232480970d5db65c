/** Figures of planned events: requests that were not served per crash or freeze, and times until recovery. */
import type { Cell, EventEffects } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { lower, type Metric, type MetricRows } from './metric.ts';

type Outage = 'crash' | 'freeze';
type Row = Omit<Metric, 'name'>;

export const eventRows: NonNullable<MetricRows['single']> = {
  ...rowsOf('crash', 'perCrash'),
  ...rowsOf('freeze', 'perFreeze'),
  'takenOver.steps': lower('count', ({ takenOver }) => takenOver?.steps),
  'takenOver.requests': lower('count', ({ takenOver }) => takenOver?.requests),
  'lost.rate': shareOfClass('lost'),
  'failed.rate': shareOfClass('failed'),
  'late.rate': shareOfClass('late'),
};

export const eventAliases: NonNullable<MetricRows['aliases']> = {
  lost: 'lost.perCrash',
  unserved: 'unserved.perCrash',
  recovered: 'crash.recovered',
  takenOver: 'takenOver.steps',
};

function rowsOf(kind: Outage, per: string): Record<string, Row> {
  return {
    [`lost.${per}`]: perOutage(kind, ({ lost }) => lost),
    [`failed.${per}`]: perOutage(kind, ({ failed }) => failed),
    [`late.${per}`]: perOutage(kind, ({ late }) => late),
    [`unserved.${per}`]: perOutage(kind, ({ lost, failed, late }) => lost + failed + late),
    [`takenOver.${per}`]: perOutage(kind, ({ takenOver }) => takenOver),
    [`${kind}.detected`]: timeOf(kind, ({ detectedUs }) => detectedUs),
    [`${kind}.firstSuccess`]: timeOf(kind, ({ firstSuccessUs }) => firstSuccessUs),
    [`${kind}.recovered`]: timeOf(kind, ({ recoveredUs }) => recoveredUs),
  };
}

function figures({ events = [] }: Cell, kind: Outage, of: (effects: EventEffects) => number | undefined): number[] {
  return events.flatMap((event) => (event.kind === kind && event.effects ? (of(event.effects) ?? []) : []));
}

/** Mean over the outages of a repetition that have the figure; undefined without any. */
function perOutage(kind: Outage, of: (effects: EventEffects) => number | undefined): Row {
  return lower('count', (cell) => mean(figures(cell, kind, of)));
}

/**
 * Median over the outages that have such a time: one that is not over before the next event, +∞, does not decide for
 * all.
 */
function timeOf(kind: Outage, of: (effects: EventEffects) => number | undefined): Row {
  const middle = (cell: Cell): number | undefined => {
    const times = figures(cell, kind, of);
    return times.length === 0 ? undefined : median(times);
  };
  return { ...lower('us', middle), scale: 'ratio' };
}

function shareOfClass(name: 'lost' | 'failed' | 'late'): Row {
  return lower('share', ({ classes }) => classes && classes[name] / Math.max(1, classes.scheduled));
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
