/** A quoted command reaches the program as its words, whatever they contain: asked of the shell. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellLine } from '../src/index.ts';

const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('a command line', () => {
  it('leaves plain words as they are', () => {
    expect(shellLine(['topo-bench', 'run', './a-b.yaml', '--set', 'rate=1e3,5%'])).toBe(
      'topo-bench run ./a-b.yaml --set rate=1e3,5%',
    );
  });

  it('brings every word through a shell', () => {
    const words = [
      'x=["a b"]',
      "it's",
      '$HOME',
      '`id`',
      '*',
      '',
      'a;b',
      '~',
      '\\',
      '"',
      'line\nend',
      '{"a":[1, 2]}',
      'ü',
    ];
    expect(wordsOf(shellLine(words))).toEqual(words);
  });
});
