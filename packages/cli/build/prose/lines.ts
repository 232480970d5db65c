/** The lines of prose in a file, by their place: comments, strings and test titles of code, and whole pages. */
import ts from 'typescript';

export interface Finding {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

export type FileKind = 'code' | 'markdown' | 'yaml' | 'script';

export interface ProseLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** `code`: the whole line, for its identifiers. */
  readonly place: 'comment' | 'string' | 'title' | 'page' | 'code';
}

/** Written by generators or by many hands over time, or samples of excluded words. */
const exempt = /^(compose|k8s)\/|^CHANGELOG\.md$|(^|\/)prose\/words\.ts$|check-prose\.test\.ts$/;
const kinds: readonly (readonly [RegExp, FileKind])[] = [
  [/\.(ts|mts|js|mjs|cjs)$/, 'code'],
  [/\.md$/, 'markdown'],
  [/\.ya?ml$/, 'yaml'],
  [/\.(sh|py)$|^\.ci\/run$/, 'script'],
];

/** Undefined for a file without prose to check. */
export function kindOf(file: string): FileKind | undefined {
  return exempt.test(file) ? undefined : kinds.find(([pattern]) => pattern.test(file))?.[1];
}

/** @param file decides which texts of code are prose: strings of tests and benches are their data */
export function linesOf(kind: FileKind, file: string, text: string): ProseLine[] {
  if (kind === 'code') return linesOfCode(file, text);
  return text.split('\n').map((line, at) => ({ line: at + 1, text: line, place: 'page' }));
}

function linesOfCode(file: string, source: string): ProseLine[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const isTest = /(^|\/)(test|bench)\//.test(file);
  const titles = isTest ? titlesOf(tree) : new Set<ts.Node>();
  const lines: ProseLine[] = source.split('\n').map((text, at) => ({ line: at + 1, text, place: 'code' }));
  const add = (at: number, text: string, place: ProseLine['place']): void => {
    const first = tree.getLineAndCharacterOfPosition(at).line + 1;
    lines.push(...text.split('\n').map((line, i) => ({ line: first + i, text: line, place })));
  };
  const commented = new Set<number>();
  const visit = (node: ts.Node): void => {
    const before = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
    const after = ts.getTrailingCommentRanges(source, node.getEnd()) ?? [];
    for (const { pos, end } of [...before, ...after]) {
      if (!commented.has(pos)) add(pos, source.slice(pos, end), 'comment');
      commented.add(pos);
    }
    if (titles.has(node)) add(node.getStart(), node.getText().slice(1, -1), 'title');
    else if (!isTest && isText(node)) add(node.getStart(), node.text, 'string');
    for (const child of node.getChildren()) visit(child);
  };
  visit(tree);
  return lines;
}

type Text = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

function isText(node: ts.Node): node is Text {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

/** First arguments of calls such as `it`, `describe.skipIf(…)` and `test.each(…)` that have a body too. */
function titlesOf(tree: ts.SourceFile): Set<ts.Node> {
  const titles = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText())) {
      const [title, body] = node.arguments;
      if (title && body && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) titles.add(title);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return titles;
}
