/** Widths of comments and of Markdown prose. Code is left to its formatter, tables and code blocks to their authors. */
import type { FileKind, Finding } from './lines.ts';

const maxColumns = 120;

const comments: Record<Exclude<FileKind, 'markdown'>, RegExp> = {
  code: /^\s*(\/\*|\*|\/\/)/,
  yaml: /(^|\s)# /,
  script: /^\s*("""|#)|\s# /,
};

export function wideLines(kind: FileKind, text: string): Finding[] {
  const lines = text.split('\n');
  const isProse = kind === 'markdown' ? markdownProse(lines) : lines.map((line) => comments[kind].test(line));
  return lines.flatMap((line, at) => {
    const columns = [...line].length;
    if (columns <= maxColumns || !isProse[at] || !canBreak(line)) return [];
    return [{ line: at + 1, problem: `${columns} columns, expected at most ${maxColumns}` }];
  });
}

/** Without code blocks, rows of tables, headings and HTML. */
function markdownProse(lines: readonly string[]): boolean[] {
  let fence = '';
  return lines.map((line) => {
    const [, mark = ''] = /^\s*(```|~~~)/.exec(line) ?? [];
    if (mark && (fence === '' || fence === mark)) fence = fence ? '' : mark;
    return !fence && !mark && !/^\s*(\||#|<)/.test(line);
  });
}

/** False for a row of a table, and where the first word reaches beyond the limit: an address, for example. */
function canBreak(line: string): boolean {
  if (/^\s*\*?\s*\|.*\|$/.test(line)) return false;
  const marker = /^\s*(\/\*\*?|\*|\/\/|#|"""|[-*•>]|\d+\.)?\s*/.exec(line)?.[0] ?? '';
  return [...line].slice(marker.length, maxColumns + 1).includes(' ');
}
