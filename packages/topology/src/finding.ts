/**
 * Something wrong (or doubtful) with a document, told by its path; a source turns it into a problem with line and
 * column.
 */
import type { ErrorCode, Problem } from '@topo-bench/core';
import type { Path, SourceDocument } from './source-document.ts';

export interface Finding {
  path: Path;
  /** Whether the key is the offender (an unknown key) or the value. Default: the value. */
  at?: 'key' | 'value';
  code: ErrorCode;
  message: string;
  hint?: string | undefined;
  severity?: 'warning';
}

/** The finding as a problem, placed in the document that it is about. */
export function toProblem({ path, at, code, message, hint, severity }: Finding, source: SourceDocument): Problem {
  return {
    ...source.locate(path, at),
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** Problems in reading order: by file as they came, then by place. */
export function inReadingOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  return [...problems].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}
