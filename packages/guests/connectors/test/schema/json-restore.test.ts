import { batchOfRows } from '@topo-bench/sources';
import { Binary, Field, Int32, List, Schema, Struct } from 'apache-arrow';
import { expect, it } from 'vitest';
import { restoreValue } from '../../src/schema/json-restore.ts';

const list = new List(new Field('item', new Binary(), true));
const struct = new Struct([new Field('b', new Binary(), true), new Field('n', new Int32(), true)]);

it.each(['', 'AP8=', 'AP8', 'AP8B', 'AP-_', 'AA=='])('restores the bytes of %j', (text) => {
  expect(restoreValue(new Binary(), text)).toEqual(Buffer.from(text, 'base64'));
  expect(restoreValue(list, [text, null])).toEqual([Buffer.from(text, 'base64'), null]);
  expect(restoreValue(struct, { b: text, n: 1 })).toEqual({ b: Buffer.from(text, 'base64'), n: 1 });
});

it.each([
  [new Binary(), 'not base64!'],
  [new Binary(), 'A'],
  [new Binary(), 'AP8=AP8='],
  [new Binary(), 5],
  [list, 'AP8='],
  [struct, 'AP8='],
  [struct, ['AP8=']],
])('a value of another form fits no column of the type %s', (type, value) => {
  const schema = new Schema([new Field('v', type, true)]);
  const rows = [{ v: restoreValue(type, value) }];
  expect(() => batchOfRows(schema, rows)).toThrow(expect.objectContaining({ code: 'TB_SOURCE_VALUE' }));
});
