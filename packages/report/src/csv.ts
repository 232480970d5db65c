/**
 * Comma-separated values (RFC 4180) that a spreadsheet never evaluates. Text that begins like a formula gets a leading
 * apostrophe (OWASP, CSV Injection).
 */
export type CsvValue = string | number | boolean | null | undefined;

/** Encodes rows with CRLF line ends. NaN and absent values are empty fields, +∞ is `Infinity`. */
export function formatCsv(rows: readonly (readonly CsvValue[])[]): string {
  return rows.map((row) => `${row.map(formatField).join(',')}\r\n`).join('');
}

/** Parses text into rows of fields. Removes quotes, accepts CRLF and LF, skips empty lines. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A field, quoted or not, and its separator. A quote inside an unquoted field is literal.
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

function formatField(value: CsvValue): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '';
  if (typeof value !== 'string') return String(value);
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
