/** Line charts of a persistence study: each metric against the load, a panel per workload, a line per store. */
import { lineChart, type Markup } from '@topo-bench/report/html';
import { levelsOf, medianAt, type StudyCell, type StudyMetric } from './study-cells.ts';

export function loadChart(cells: readonly StudyCell[], workload: string, metric: StudyMetric, heading: string): Markup {
  const levels = levelsOf(cells, 'load');
  const lines = levelsOf(cells, 'store').map((store) => ({
    name: store,
    values: levels.map((load) => medianAt(cells, { store, workload, load }, metric)),
  }));
  return lineChart({ title: workload, heading, axis: 'load', levels, lines });
}
