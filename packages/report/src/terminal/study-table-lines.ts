/** A table of a study in a terminal: title, rows, and a note on how to read it. */
import type { StudyTable } from '../study-table.ts';
import { printable, type Styles } from './text.ts';
import { textTable } from './text-table.ts';

/** Short column names for narrow terminals. */
const short: Record<string, string> = {
  'p95 of response time (ms)': 'p95 ms',
  'throughput (successes/s)': 'ok/s',
  'CPU (% of one core)': 'CPU %',
  'RAM (MB)': 'RAM MB',
  published: 'study',
  'rows per stream': 'rows',
  '1st batch (ms)': '1st ms',
  'time (s)': 's',
  'service CPU %': 'svc CPU %',
  'service MB': 'svc MB',
  'generator CPU %': 'gen CPU %',
  'generator MB': 'gen MB',
  'host idle %': 'idle %',
};
const widestText = 90;

export function studyTableLines(
  { title, note, columns: headings, rows }: StudyTable,
  columns: number,
  styles: Styles,
): string[] {
  const table = textTable(
    headings.map(({ heading, number }) => ({ heading: short[heading] ?? heading, align: number ? 'right' : 'left' })),
    rows.map((row) => row.map((text) => cut(printable(text)))),
    columns,
    styles.bold,
  );
  return [styles.bold(title), ...table.lines, note];
}

function cut(text: string): string {
  return text.length > widestText ? `${text.slice(0, widestText - 1)}…` : text;
}
