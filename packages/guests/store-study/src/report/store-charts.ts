/** Charts of a store study: each metric against the load, a panel per workload, a line per store. */
import { describeLevel } from '@topo-bench/core';
import { type LinePanel, lineColour, linePoint } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { type StudyMetric, studyCell, studyMetrics } from './study-cells.ts';

/** By name of the figure. */
export function storeCharts(report: ReportModel): Record<string, LinePanel[]> {
  return Object.fromEntries(studyMetrics.map(({ key, heading }) => [figureName(key), panels(report, key, heading)]));
}

export function figureName(metric: StudyMetric): string {
  return `load-${metric}`;
}

function panels({ groups, factors }: ReportModel, metric: StudyMetric, heading: string): LinePanel[] {
  const own = groups.map((group, cell) => ({ ...group, cell })).filter(({ factors: { store } }) => store !== undefined);
  const loads = [...new Set(own.map(({ factors: levels }) => Number(levels.connections ?? levels.rate)))].sort(
    (a, b) => a - b,
  );
  const stores = [...new Set(own.map(({ factors: { store } }) => String(store)))];
  const others = factors.filter(
    ({ name, levels }) => levels.length > 1 && !['store', 'workload', 'connections', 'rate'].includes(name),
  );
  const titleOf = (levels: ReportModel['groups'][number]['factors']): string =>
    [
      String(levels.workload ?? ''),
      ...others.flatMap(({ name }) => (levels[name] === undefined ? [] : [describeLevel(name, levels[name])])),
    ].join(', ');
  return [...new Set(own.map(({ factors: levels }) => titleOf(levels)))].map((title) => ({
    title,
    heading,
    axis: own.some(({ factors: { connections } }) => connections !== undefined) ? 'clients' : 'requests per second',
    levels: loads.map(String),
    lines: stores.map((store, at) => ({
      name: store,
      colour: lineColour(at),
      points: own
        .filter(({ factors: levels }) => String(levels.store) === store && titleOf(levels) === title)
        .map(({ factors: levels, valid, cell }) =>
          linePoint(
            cell,
            loads.indexOf(Number(levels.connections ?? levels.rate)),
            valid.flatMap((one) => studyCell(one)?.[metric] ?? []),
          ),
        )
        .sort((a, b) => a.level - b.level),
    })),
  }));
}
