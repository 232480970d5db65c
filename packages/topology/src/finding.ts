/** A finding: an error or warning about a document, located by path. A source document adds line and column. */
import type { ErrorCode, Problem } from '@topo-bench/core';
import type { Path, SourceDocument } from './source-document.ts';

export interface Finding {
  path: Path;
  /** Whether the key is at fault (an unknown key) or the value. Default: the value. */
  at?: 'key' | 'value';
  code: ErrorCode;
  message: string;
  hint?: string | undefined;
  /** A value that belongs in quotes: the hint shows it as the file has it. */
  unquoted?: { value: unknown };
  severity?: 'warning';
}

/** Converts a finding to a problem with its place in the document. */
export function toProblem(finding: Finding, source: SourceDocument): Problem {
  const { path, at, code, message, unquoted, severity } = finding;
  const hint = unquoted ? quoteHint(source.plainText(path, unquoted.value) ?? unquoted.value) : finding.hint;
  return {
    ...source.locate(path, at),
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** For a value that was meant as a text. */
export function quoteHint(text: unknown): string {
  return `write it in quotes: "${text}"`;
}

/** Sorts problems by file, in order of first appearance, then by place. */
export function inReadingOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  return [...problems].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}
