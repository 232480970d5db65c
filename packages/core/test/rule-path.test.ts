/** Which texts are paths of member and index steps, and what their steps are. */
import { expect, test } from 'vitest';
import { parseRulePath } from '../src/rule-path.ts';

test.each([
  ['$', []],
  ['$.payload.email', ['payload', 'email']],
  ['$.payload.card-number_2', ['payload', 'card-number_2']],
  ['$.größe', ['größe']],
  ['$.categories[0]', ['categories', '0']],
  ['$.categories[007]', ['categories', '7']],
  ["$['a b'].c", ['a b', 'c']],
  [`$["it's"]['']`, ["it's", '']],
  [`$['a\\'b\\\\c']`, ["a'b\\c"]],
  ["$['?(@.x)']", ['?(@.x)']],
  ['$.__proto__', ['__proto__']],
])('%s is read as %j', (path, steps) => {
  expect(parseRulePath(path)).toEqual(steps);
});

test.each([
  '',
  'payload',
  '.payload',
  '$payload',
  '$.',
  '$..email',
  '$.*',
  '$[*]',
  '$[-1]',
  '$[0:2]',
  '$[0,1]',
  '$[?(@.a)]',
  '$[(@.length-1)]',
  '$.a^',
  '$.a~',
  '$.a()',
  '$.a b',
  "$['a",
  "$['a','b']",
  '$.a[`x`]',
  ' $.a',
  '$.a ',
])('%j is refused', (path) => {
  expect(parseRulePath(path)).toBeUndefined();
});
