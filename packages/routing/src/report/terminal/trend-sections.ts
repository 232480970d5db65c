/** Times over ordered factors in a terminal: charts and a table per factor, or the confirmed rates of a search. */
import { infiniteText } from '@topo-bench/report';
import { confirmedTable, type ReportModel, rateSearchOf } from '@topo-bench/report/model';
import { type Styles, studyTableLines, trendLines } from '@topo-bench/report/terminal';

export function trendSections(report: ReportModel, columns: number, styles: Styles): string[][] {
  const searched = rateSearchOf(report);
  if (!searched) return trendLines(report, columns, styles);
  const table = confirmedTable(searched, infiniteText(report.drainUs));
  return table.rows.length === 0 ? [] : [studyTableLines(table, columns, styles)];
}
