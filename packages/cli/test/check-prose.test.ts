/** Each rule of the prose check on a text that breaks it and on one that comes close and is allowed. */
import { describe, expect, it } from 'vitest';
import { lengthFinding } from '../build/prose/decision-pages.ts';
import { kindOf, linesOf } from '../build/prose/lines.ts';
import { wideLines } from '../build/prose/widths.ts';
import { excludedWords } from '../build/prose/words.ts';

const wordsIn = (file: string, text: string): string[] =>
  excludedWords(linesOf(kindOf(file) ?? 'code', file, text)).map(
    ({ line, problem }) => `${line} ${problem.split(':')[0]}`,
  );
const wideIn = (file: string, text: string): number[] =>
  wideLines(kindOf(file) ?? 'code', text).map(({ line }) => line);
const long = (start: string): string => `${start}${'wide line '.repeat(13)}`;

describe('excluded words', () => {
  it.each([
    ['src/a.ts', '/** The server beside ours. */', ['1 "beside"']],
    ['src/a.ts', "const hint = 'the file says why';", ['1 "says"']],
    ['src/a.ts', 'const text = `$' + '{name} goes on at $' + '{place}, who tells it`;', ['1 "goes on"', '1 "tells"']],
    ['src/a.ts', '/** Of each row. */\nconst mostRows = 1;', ['2 "mostRows"', '1 "/** Of"']],
    ['src/a.ts', '/**\n * In which order.\n */', ['2 "* In which"']],
    [
      'docs/a.md',
      'One.\n\nIt is told to those who ask, as it should.',
      ['3 "those who"', '3 "is told"', '3 "as it should"'],
    ],
    ['a.yaml', 'name: a\n# For want of a better one.', ['2 "For want of"']],
    ['.ci/run', 'echo "nobody waits" # a file of ours', ['1 "nobody"', '1 "of ours"']],
    ['test/a.test.ts', "it('says why', () => { say('beside'); }); // goes on", ['1 "goes on"', '1 "says"']],
    ['test/a.test.ts', "describe.skipIf(no)('a', () => { it.each([1])('asks %s', () => {}); });", ['1 "asks"']],
    ['test/a.test.ts', 'describe(`what $' + '{name} holds`, () => {});', ['1 "holds"']],
  ])('are found in %s: %s', (file, text, found) => {
    expect(wordsIn(file, text).sort()).toEqual([...found].sort());
  });

  it.each([
    ['src/a.ts', "import { tells } from './says.ts';\nconst beside = nobody(lets);"],
    ['src/a.ts', '/** Runs as `nobody`, or the user in `says`; see go-on.ts. */'],
    ['src/a.ts', '/** Most rows are known; a condition holds. Off the user list. */'],
    ['docs/a.md', 'The gate cannot tell. The user names a file of the user table.'],
    ['test/a.test.ts', "it('cannot tell without data', () => { log('says', 'beside'); });"],
    ['CHANGELOG.md', 'A server beside it.'],
    ['k8s/a/base/workloads.yaml', '# beside'],
  ])('are not found in %s: %s', (file, text) => {
    expect(kindOf(file) ? wordsIn(file, text) : []).toEqual([]);
  });
});

describe('wide lines', () => {
  it.each([
    ['src/a.ts', long('  // ')],
    ['src/a.ts', long(' * ')],
    ['a.yaml', long('# ')],
    ['a.yml', long('key: value # ')],
    ['.ci/run', long('# ')],
    ['a.sh', long('true # ')],
    ['a.py', long('"""')],
    ['docs/a.md', long('')],
    ['docs/a.md', `- [${long('')}](https://example.org)`],
    ['docs/a.md', `\`\`\`sh\n${'x '.repeat(70)}\n\`\`\`\n${long('')}`],
  ])('are found in %s: %.60s', (file, text) => {
    expect(wideIn(file, text)).toEqual([text.split('\n').length]);
  });

  it.each([
    ['src/a.ts', long('const text = ')],
    ['src/a.ts', ` * | ${long('')} |`],
    ['src/a.ts', `// https://example.org/${'x'.repeat(120)}`],
    ['a.yaml', long('key: ')],
    ['docs/a.md', `| ${long('')} |`],
    ['docs/a.md', `## ${long('')}`],
    ['docs/a.md', `- https://example.org/${'x'.repeat(120)} is long`],
    ['docs/a.md', `\`\`\`sh\n${long('')}\n\`\`\``],
    ['docs/a.md', `${'ü'.repeat(60)} ${'ü'.repeat(59)}`],
  ])('are not found in %s: %.60s', (file, text) => {
    expect(wideIn(file, text)).toEqual([]);
  });
});

it('a decision page has 60 lines at most', () => {
  expect(lengthFinding('line\n'.repeat(60))).toEqual([]);
  expect(lengthFinding('line\n'.repeat(61))).toEqual([{ line: 61, problem: '61 lines, expected at most 60' }]);
});
