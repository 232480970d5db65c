/** The study's weighted average per service, one row per setting. */
import { formatAtLeastMs } from '../figure-text.ts';
import type { ReportModel } from '../model/report-model.ts';
import { sizesOf, weightedAverages } from '../model/weighted-average.ts';
import { factorColumns, factorTexts, shownFactors } from './factor-cells.ts';
import type { Styles } from './styles.ts';
import { textTable } from './text-table.ts';

/** Empty when the number of services is not a factor. */
export function weightedAverageSection(report: ReportModel, width: number, styles: Styles): string[] {
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
