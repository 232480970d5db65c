/** Dictionaries of kept rows: only values that these use, in the order of their use. */
import { Dictionary, Int32, Int64, makeData, Utf8, Vector, vectorFromArray } from 'apache-arrow';
import { expect, it } from 'vitest';
import { gather } from '../../src/governance/gather.ts';

const words = (...values: string[]): Vector<Utf8> => vectorFromArray(values, new Utf8());
const allocate = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes);

function kept(type: Dictionary, dictionary: Vector, indices: Int32Array | BigInt64Array, rows: readonly number[]) {
  const data = makeData({ type, length: indices.length, nullCount: 0, data: indices as Int32Array, dictionary });
  const { dictionary: used, ...parts } = gather(type, data, Int32Array.from(rows), allocate as never);
  return { used: [...(used as Vector)], parts: (used as Vector).data.length, indices: [...parts.values] };
}

it('keep the order of an ordered dictionary', () => {
  const type = new Dictionary(new Utf8(), new Int32(), 1, true);
  const { used, indices } = kept(type, words('low', 'mid', 'high'), Int32Array.of(2, 1, 2, 0), [0, 3, 2]);
  expect([used, indices]).toEqual([
    ['low', 'high'],
    [1, 0, 1],
  ]);
});

it('of several parts have at most as many parts', () => {
  const type = new Dictionary(new Utf8(), new Int32(), 2);
  const dictionary = new Vector([...words('a', 'b').data, ...words('c').data, ...words('d', 'e').data]);
  expect(kept(type, dictionary, Int32Array.of(4, 0, 3, 1, 2), [0, 1, 2])).toEqual({
    used: ['e', 'd', 'a'],
    parts: 2,
    indices: [0, 2, 1],
  });
});

it('can have indices of 64 bits', () => {
  const type = new Dictionary(new Utf8(), new Int64() as never, 3);
  const { used, indices } = kept(type, words('a', 'b'), BigInt64Array.of(1n, 0n), [0]);
  expect([used, indices]).toEqual([['b'], [0n]]);
});
