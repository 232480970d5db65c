import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { replaceScalars } from '../src/replace-scalars.ts';

const replaced = (text: string): string => replaceScalars(text, (path) => path.at(-2) === 'env', 'gone');

describe('single values of a text', () => {
  it('are replaced in every way of writing them, and nothing else is touched', () => {
    const text = `# kept: s3cret
services:
  - { name: a, env: { K: 's3 cret', L: off, M: 12 } } # kept too
  - name: b
    env:
      BLOCK: |
        s3cret
        more
      PLAIN: s3 cret # comment
      LAST: >-
        s3
        cret
name: x
`;
    expect(replaced(text)).toBe(`# kept: s3cret
services:
  - { name: a, env: { K: "gone", L: "gone", M: "gone" } } # kept too
  - name: b
    env:
      BLOCK: "gone"
      PLAIN: "gone" # comment
      LAST: "gone"
name: x
`);
  });

  it.each([
    ['an alias and what it stands for', 'a: &s s3cret\nb: { env: { K: *s } }\n'],
    ['an anchor among them', 'a: { env: { K: &s s3cret, L: *s } }\nb: { env: { K: *s } }\n'],
    ['a map that an alias stands for', 'a: { other: &m { K: s3cret } }\nb: { env: *m }\n'],
    ['JSON', '{"a":{"env":{"K":"s3cret","L":["x"]}}}'],
  ])('include %s', (_, text) => {
    const changed = replaced(text);
    expect(changed).not.toContain('s3cret');
    expect(changed).toContain('gone');
    expect(() => parse(changed)).not.toThrow();
  });

  it('stay in a text that is not well-formed', () => {
    expect(replaced('env: { K: [')).toBe('env: { K: [');
  });
});
