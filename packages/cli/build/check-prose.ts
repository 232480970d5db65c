/**
 * Checks prose, for which no formatter has rules: line widths, words that the English rules exclude, titles of tests,
 * and the length of decision pages. `npm run lint` runs it. It prints one finding per line and exits with code 1.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lengthFinding } from './prose/decision-pages.ts';
import { kindOf, linesOf } from './prose/lines.ts';
import { wideLines } from './prose/widths.ts';
import { excludedWords } from './prose/words.ts';

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
let findings = 0;
for (const file of files) {
  const kind = kindOf(file);
  if (!kind) continue;
  const text = readFileSync(file, 'utf8');
  const found = [
    ...wideLines(kind, text),
    ...excludedWords(linesOf(kind, file, text)),
    ...(file.startsWith('docs/decisions/') ? lengthFinding(text) : []),
  ];
  for (const { line, problem } of found) console.log(`${file}:${line}: ${problem}`);
  findings += found.length;
}
if (findings > 0) process.exitCode = 1;
