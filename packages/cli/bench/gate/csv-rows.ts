/** Rows of a file of CSV whose values have no commas. Each is appended as soon as it is measured. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** @returns without the headings; no rows without a file */
export function csvRows(file: string): string[][] {
  if (!existsSync(file)) return [];
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => line.split(','));
}

/** @param columns headings of a new file */
export function appendCsvRow(file: string, columns: readonly string[], row: string): void {
  if (!existsSync(file)) appendFileSync(file, `${columns.join()}\n`);
  appendFileSync(file, `${row}\n`);
}
