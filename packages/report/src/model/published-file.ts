/** A CSV file with published figures of a study. Each kind of study has its own columns. */
import { readFile } from 'node:fs/promises';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import { parseCsv } from '../csv.ts';

export interface PublishedFile {
  file: string;
  /** Names of all columns, in file order. */
  header: string[];
  /** Values by column, one record per row; an absent value is an empty string. */
  rows: Record<string, string>[];
}

/**
 * @param required columns that the file must have
 * @param figures those with a number in each row, or nothing
 * @throws TopoBenchError `TB_PUBLISHED_INVALID`, with the line where the file can be read
 */
export async function readPublishedFile(
  file: string,
  required: readonly string[],
  figures: readonly string[] = [],
): Promise<PublishedFile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TopoBenchError('TB_PUBLISHED_INVALID', `cannot read ${file}: ${systemErrorText(cause)}`, { cause });
  });
  const [header = [], ...lines] = parseCsv(text.replace(/^\uFEFF/, ''));
  const missing = required.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new TopoBenchError(
      'TB_PUBLISHED_INVALID',
      `${file} has no column ${missing.join(', ')}; it has ${header.join(', ') || 'none'}`,
      { location: { file, line: 1, column: 1 } },
    );
  }
  const rows = lines.map((line) => Object.fromEntries(header.map((column, at) => [column, line[at] ?? ''])));
  for (const [index, row] of rows.entries()) {
    const wrong = figures.find((column) => row[column] !== '' && !Number.isFinite(Number(row[column])));
    if (wrong === undefined) continue;
    const message = `${wrong}: got ${JSON.stringify(row[wrong])}, expected a number, or nothing`;
    throw new TopoBenchError('TB_PUBLISHED_INVALID', message, { location: { file, line: index + 2, column: 1 } });
  }
  return { file, header, rows };
}

/** NaN for an empty value and for text that is not a number. */
export function publishedFigure(text: string | undefined): number {
  return text ? Number(text) : Number.NaN;
}
