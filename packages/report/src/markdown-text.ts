/** Text and tables in Markdown. */
import type { StudyTable } from './study-table.ts';

/** Escapes text: no Markdown reader finds markup, links, mentions, HTML or the end of a table cell in it. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/[\\`*_[\]|!#~$]/g, '\\$&');
}

/** Formats a row of a table. */
export function markdownLine(texts: readonly string[]): string {
  return `| ${texts.map(escapeMarkdown).join(' | ')} |`;
}

/** One block per table: title, note and rows. */
export function markdownTables(tables: readonly StudyTable[]): string[] {
  return tables.flatMap(({ title, note, columns, rows }) => [
    `### ${escapeMarkdown(title)}`,
    escapeMarkdown(note),
    [
      markdownLine(columns.map((column) => column.heading)),
      `|${columns.map(({ number }) => (number ? '--:|' : '---|')).join('')}`,
      ...rows.map(markdownLine),
    ].join('\n'),
  ]);
}
