/** Loops over words, compared with one value at a time, into memory that is not zero. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Gaps, spreadWords, widen32, widen64 } from '../../src/parquet/columns/words.ts';

interface Loop {
  /** Words of a value, and of a row. */
  words: 1 | 2;
  stride: 1 | 2 | 4;
  write(values: Int32Array, gaps: Gaps, target: Int32Array): void;
}

const loops: Readonly<Record<string, Loop>> = {
  '32 bits': { words: 1, stride: 1, write: (values, gaps, target) => spreadWords(values, 1, gaps, target) },
  '64 bits': { words: 2, stride: 2, write: (values, gaps, target) => spreadWords(values, 2, gaps, target) },
  '32 bits as 128': { words: 1, stride: 4, write: widen32 },
  '64 bits as 128': { words: 2, stride: 4, write: widen64 },
};

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
/** Stretches of rows with and without a value; some are longer than what is copied in a loop. */
const stretch = fc.record({ isNull: fc.boolean(), rows: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.nat(40)) });
const part = fc.record({
  stretches: fc.array(stretch, { maxLength: 12 }),
  seed: fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 30 }),
  from: fc.nat(1000),
  /** Nulls before the rows and behind them. */
  others: fc.tuple(fc.nat(3), fc.nat(3)),
});

/** The words of a row by the definition of two's complement. */
function rowOf(value: readonly number[], stride: number): number[] {
  const low = BigInt.asUintN(32, BigInt(value[0] as number));
  const whole = value.length === 1 ? BigInt(value[0] as number) : BigInt(value[1] as number) * 2n ** 32n + low;
  return Array.from({ length: stride }, (_, place) => Number(BigInt.asIntN(32, whole >> BigInt(32 * place))));
}

describe('rows have their values, and 0 where they have none', () => {
  it.each(Object.entries(loops))('%s', (_, { words, stride, write }) => {
    fc.assert(
      fc.property(part, ({ stretches, seed, from, others: [before, behind] }) => {
        const nulls = stretches.flatMap(({ isNull, rows }) => new Array<boolean>(rows).fill(isNull));
        const ofRow = (row: number): number[] => (seed[row % seed.length] as number[]).slice(0, words);
        const values = nulls.flatMap((isNull, row) => (isNull ? [] : ofRow(row)));
        const own = nulls.flatMap((isNull, row) => (isNull ? [from + row] : []));
        const places = [...new Array<number>(before).fill(0), ...own, ...new Array<number>(behind).fill(5000)];
        const target = new Int32Array(nulls.length * stride).fill(-77);
        const gaps = { places: Int32Array.from(places), from, start: before, end: before + own.length };
        write(Int32Array.from(values), gaps, target);
        const zeros = new Array<number>(stride).fill(0);
        expect([...target]).toEqual(nulls.flatMap((isNull, row) => (isNull ? zeros : rowOf(ofRow(row), stride))));
      }),
      { numRuns: 300 },
    );
  });
});
