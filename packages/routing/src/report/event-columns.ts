/** Columns of CSV files: each metric of events, classes and changes of rules that a repetition of the run has. */
import { commonMetrics, eventMetricNames } from '@topo-bench/comparison';
import type { StudyViews } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { median } from '@topo-bench/stats';

export function eventColumns({ groups }: ReportModel): NonNullable<StudyViews['csv']> {
  const all = groups.flatMap(({ valid, invalid }) => [...valid, ...invalid]);
  const metrics = eventMetricNames
    .map((name) => commonMetrics.named(name))
    .filter(({ read }) => all.some((cell) => read(cell) !== undefined));
  return {
    keys: metrics.map(({ name }) => name),
    values: (cells) => metrics.map(({ read }) => median(cells.flatMap((cell) => read(cell) ?? []))),
  };
}
