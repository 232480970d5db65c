import { expect, it } from 'vitest';
import { nullRow } from '../../src/rows/null-row.ts';

const names = ['b', '__proto__', 'a', 'constructor'];

it('has a property of its own for each name, in order, whatever the names', () => {
  const row = nullRow(names);
  expect(Object.entries(row)).toEqual(names.map((name) => [name, null]));
  const copy: Record<string, unknown> = { ...row };
  for (const name of names) copy[name] = `of ${name}`;
  expect(Object.entries(copy)).toEqual(names.map((name) => [name, `of ${name}`]));
  expect(Object.entries(row)).toEqual(names.map((name) => [name, null]));
});
