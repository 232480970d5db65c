import { expect, it } from 'vitest';
import { ruleLine } from '../../src/browser/rule-line.ts';

const text = `rules:
  # - id: pii
  - id: pii-eu
    effect: deny
  - { effect: deny, id: "pii", valid: no }
  - id: a.b   # a comment
`;

it.each([
  ['pii', 5],
  ['pii-eu', 3],
  ['a.b', 6],
  ['a-b', undefined],
  ['pii-', undefined],
  ['generated-1', undefined],
])('the rule %s is at line %s', (id, line) => {
  expect(ruleLine(text, id)).toBe(line);
  expect(ruleLine(text.replaceAll('\n', '\r\n'), id)).toBe(line);
});
