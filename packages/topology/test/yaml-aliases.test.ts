import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { aliasesOf, plainData } from '../src/yaml-aliases.ts';

const parsed = (text: string) => parseDocument(text, { stringKeys: true });
const dataOf = (text: string): unknown => {
  const document = parsed(text);
  return plainData(document.contents, aliasesOf(document));
};

/** Lists and maps of which each may contain aliases of those before it; an anchor may be defined twice. */
const textArbitrary = fc
  .array(fc.array(fc.tuple(fc.nat(9), fc.constantFrom('list', 'map', 'text', '__proto__')), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((lists) =>
    lists
      .map((members, i) => {
        const items = members.map(([draw, form]) => {
          const value = draw < i ? `*a${draw % 3}` : '007';
          return form === 'list' ? `[${value}]` : form === 'text' ? value : `{ ${form}: ${value}, other: ${value} }`;
        });
        return `k${i}: &a${i % 3} [${items.join(', ')}]\n`;
      })
      .join(''),
  )
  .filter((text) => aliasesOf(parsed(text)).faults.length === 0);

it('plain data equals that of the library', () => {
  fc.assert(
    fc.property(textArbitrary, (text) => {
      const ours = dataOf(text);
      expect(ours).toEqual(parsed(text).toJS({ maxAliasCount: -1 }));
      expect(JSON.stringify(ours)).toBe(JSON.stringify(parsed(text).toJS({ maxAliasCount: -1 })));
    }),
  );
});

it.each(['a: 1', '[1, ~, { b: , c: [x] }]', 'text', '~', '{ "": 1, 1: 2, true: 3 }', '? a\n', 'a: |\n  b\n', '[a: 1]'])(
  'plain data of %j equals that of the library',
  (text) => void expect(dataOf(text)).toEqual(parsed(text).toJS()),
);

it('aliases of one anchor share its value', () => {
  const { b, c } = dataOf('a: &a { x: 1 }\nb: *a\nc: *a\n') as Record<string, unknown>;
  expect(b).toBe(c);
});

it('the alias at which a document has too many values is at fault, not the number of aliases', () => {
  const lists = (count: number): string => `a: &a [${'x, '.repeat(999)}]\nb: [${'*a, '.repeat(count)}]\n`;
  expect(aliasesOf(parsed(lists(100))).faults).toEqual([]);
  expect(aliasesOf(parsed(lists(101))).faults).toMatchObject([
    { message: 'with the alias "a" the file has more than 100,000 values behind aliases' },
  ]);
  expect(aliasesOf(parsed(`a: &a x\nb: [${'*a, '.repeat(50_000)}]\n`)).faults).toEqual([]);
});
