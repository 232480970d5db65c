/** The study's weighted average per service, one row per setting. */
import { formatAtLeastMs } from '@topo-bench/report';
import { factorColumns, factorTexts, type Styles, shownFactors, textTable } from '@topo-bench/report/terminal';
import type { RoutingModel } from '../routing-model.ts';
import { sizesOf, weightedAverages } from '../weighted-average.ts';

/** Empty if the number of services is not a factor. */
export function weightedAverageSection(report: RoutingModel, width: number, styles: Styles): string[] {
  const averages = weightedAverages(report);
  if (averages.length === 0) return [];
  const shown = shownFactors(report.factors.filter(({ name }) => name !== 'services'));
  const figures = ['W', ...(report.published ? ['published'] : [])];
  const columns = [...factorColumns(shown), ...figures.map((heading) => ({ heading, align: 'right' as const }))];
  const rows = averages.map((average, index) => [
    ...factorTexts(shown, average, averages[index - 1]),
    styles.bold(formatAtLeastMs(average.measured, report.drainUs)),
    ...(report.published ? [formatAtLeastMs(average.published, report.drainUs)] : []),
  ]);
  return [
    styles.bold(`Weighted average per service W in ms: mean of median/N over N = ${sizesOf(report).join(', ')}`),
    ...textTable(columns, rows, width, styles.dim).lines,
  ];
}
