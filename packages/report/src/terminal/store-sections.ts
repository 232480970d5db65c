/** The persistence study in a terminal: averages, scores, hypotheses, and every level of load. */
import type { ReportModel } from '../model/report-model.ts';
import { studyTables } from '../persistence/study-tables.ts';
import { printable } from './printable.ts';
import type { Styles } from './styles.ts';
import { textTable } from './text-table.ts';

/** Shorter names of columns whose full ones would not fit. */
const short: Record<string, string> = {
  'p95 of response time (ms)': 'p95 ms',
  'throughput (successes/s)': 'ok/s',
  'CPU (% of one core)': 'CPU %',
  'RAM (MB)': 'RAM MB',
  published: 'study',
};
const widestText = 90;

export function storeSections(report: ReportModel, columns: number, styles: Styles): string[][] {
  return studyTables(report).map(({ title, note, columns: headings, rows }) => {
    const table = textTable(
      headings.map(({ heading, number }) => ({ heading: short[heading] ?? heading, align: number ? 'right' : 'left' })),
      rows.map((row) => row.map((text) => cut(printable(text)))),
      columns,
      styles.bold,
    );
    return [styles.bold(title), ...table.lines, note];
  });
}

function cut(text: string): string {
  return text.length > widestText ? `${text.slice(0, widestText - 1)}…` : text;
}
