/** Figures of rules that changed under load: how long old ones were applied, and to what. */
import type { Cell, StaleFigures } from '@topo-bench/core/schema/result';
import { lower, type Metric, type MetricRows } from './metric.ts';

type Since = 'sinceConfirmed' | 'sinceAsked';

/** Names with `.confirmed` count from the confirmation of a change, the others from its request. */
export const stalenessRows: NonNullable<MetricRows['single']> = {
  'staleness.last': figure('us', 'sinceAsked', ({ lastUs }) => lastUs),
  'staleness.t50': figure('us', 'sinceAsked', ({ t50Us = 0 }) => t50Us),
  'staleness.t99': figure('us', 'sinceAsked', ({ t99Us = 0 }) => t99Us),
  'staleness.last.confirmed': figure('us', 'sinceConfirmed', ({ lastUs }) => lastUs),
  'staleness.t50.confirmed': figure('us', 'sinceConfirmed', ({ t50Us = 0 }) => t50Us),
  'staleness.t99.confirmed': figure('us', 'sinceConfirmed', ({ t99Us = 0 }) => t99Us),
  'staleness.confirmed': { ...lower('us', ({ staleness }) => staleness && confirmedAfterUs(staleness.versions)) },
  'stale.requests': figure('count', 'sinceConfirmed', ({ requests }) => requests),
  'stale.letThrough': figure('count', 'sinceConfirmed', ({ letThrough }) => letThrough),
  'stale.exposed': figure('bytes', 'sinceConfirmed', exposed),
  'stale.refused': figure('count', 'sinceConfirmed', ({ refused }) => refused),
  'stale.requests.asked': figure('count', 'sinceAsked', ({ requests }) => requests),
  'stale.refused.asked': figure('count', 'sinceAsked', ({ refused }) => refused),
  'stale.letThrough.asked': figure('count', 'sinceAsked', ({ letThrough }) => letThrough),
  'stale.exposed.asked': figure('bytes', 'sinceAsked', exposed),
  'undecided.requests': lower('count', ({ undecided }) => undecided?.requests),
  'undecided.exposed': lower('bytes', ({ undecided }) => undecided && exposed(undecided)),
  'torn.requests': lower('count', ({ staleness }) => staleness?.torn),
};

export const stalenessAliases: NonNullable<MetricRows['aliases']> = {
  staleness: 'staleness.last',
  stale: 'stale.requests',
  torn: 'torn.requests',
};

/** Without a stale decision every time is 0: differences are absolute. */
function figure(unit: Metric['unit'], since: Since, of: (figures: StaleFigures) => number): Omit<Metric, 'name'> {
  return lower(unit, ({ staleness }) => staleness && of(staleness[since]));
}

function exposed({ exposedBytes }: Pick<StaleFigures, 'exposedBytes'>): number {
  return Object.values(exposedBytes).reduce((sum, bytes) => sum + bytes, 0);
}

/** Mean over the changes of a repetition; +∞ where one was never confirmed. */
function confirmedAfterUs(versions: NonNullable<Cell['staleness']>['versions']): number {
  const times = versions.map(({ confirmedAfterUs: us = Number.POSITIVE_INFINITY }) => us);
  return times.reduce((sum, us) => sum + us, 0) / times.length;
}
