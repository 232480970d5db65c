/** How far times of events may be off: load generators on other hosts send by clocks of their own. */
import { formatUs } from '@topo-bench/core';
import type { ReportModel } from '@topo-bench/report/model';

/** Empty where all generators read the clock of this host. */
export function clockErrorText({ groups }: Pick<ReportModel, 'groups'>): string {
  const records = groups.flatMap(({ valid }) => valid.flatMap(({ generator }) => generator?.each ?? []));
  const errors = records.flatMap(({ clock }) =>
    clock ? clock.errorUs + Math.abs(clock.driftUs) + clock.driftErrorUs : [],
  );
  if (errors.length === 0) return '';
  return ` Requests are timed by the clocks of other hosts: times since an event carry an error of up to ${formatUs(Math.max(...errors))}.`;
}
