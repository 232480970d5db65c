/**
 * Checks the width of comments, and words that the English rules exclude. No formatter checks these.
 * Usage: node packages/cli/build/check-prose.mjs
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const maxColumns = 120;
/** Lines that cannot be wrapped. */
const unwrappable = [
  { name: 'a URL', applies: (line) => /https?:\/\/\S+/.test(line) },
  { name: 'a row of a table in a comment', applies: (line) => /^\s*\*?\s*\|.*\|$/.test(line) },
];
const excluded = [
  /\b(whoever|beside|goes on|(?<!`)nobody|is told|as it lies)\b/i,
  /\bof the user's\b/i,
  /^\s*(\/\*\*?|\/\/|\*)?\s*(In which|As many)\b/,
  /^\s*(\/\*\*|\/\/)\s*(Of|That)\b/,
];
const excludedName = /\bmost[A-Z]\w*/;

function tracked(...patterns) {
  return execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

/** Ranges of comments and strings, from the compiler's scanner. Templates and regexes need the parser. */
function textOf(source, file) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const texts = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      texts.push({ at: node.getStart(), text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const seen = new Set();
  const comments = (node) => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) {
      if (!seen.has(range.pos)) texts.push({ at: range.pos, text: source.slice(range.pos, range.end) });
      seen.add(range.pos);
    }
    for (const child of node.getChildren()) comments(child);
  };
  comments(tree);
  return texts.flatMap(({ at, text }) => {
    const first = tree.getLineAndCharacterOfPosition(at).line + 1;
    return text.split('\n').map((line, i) => ({ line: first + i, text: line }));
  });
}

const findings = [];
for (const file of tracked('*.ts', '*.mjs', '*.cjs')) {
  const source = readFileSync(file, 'utf8');
  source.split('\n').forEach((line, i) => {
    // The formatter wraps code, except literals.
    const isComment = /^\s*(\/\*|\*|\/\/)/.test(line);
    if (isComment && [...line].length > maxColumns && !unwrappable.some(({ applies }) => applies(line))) {
      findings.push({
        kind: 'width',
        file,
        line: i + 1,
        what: `${[...line].length} columns, expected at most ${maxColumns}`,
      });
    }
    const name = excludedName.exec(line)?.[0];
    if (name) findings.push({ kind: 'words', file, line: i + 1, what: `${name}: use max…` });
  });
  if (/(^|\/)(test|bench)\//.test(file) || file.endsWith('check-prose.mjs')) continue;
  for (const { line, text } of textOf(source, file)) {
    const found = excluded.map((pattern) => pattern.exec(text)?.[0]).find(Boolean);
    if (found) findings.push({ kind: 'words', file, line, what: `"${found.trim()}"` });
  }
}
for (const file of tracked('*.md')) {
  if (file === 'CHANGELOG.md') continue;
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((text, i) => {
      const found = excluded
        .slice(0, 2)
        .map((pattern) => pattern.exec(text)?.[0])
        .find(Boolean);
      if (found) findings.push({ kind: 'words', file, line: i + 1, what: `"${found}"` });
    });
}
for (const { file, line, what } of findings) console.log(`${file}:${line}: ${what}`);
if (findings.length > 0) process.exitCode = 1;
