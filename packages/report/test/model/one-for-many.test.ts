import { expect, test } from 'vitest';
import { oneForMany } from '../../src/model/one-for-many.ts';

const sentences = (words: readonly string[]): string[] =>
  oneForMany(
    words,
    (word) => word.charAt(0),
    (word) => `${word}.`,
    (letter, own) => `${own.length} with ${letter}.`,
  );

test('two sentences of one pattern stay, three become one at the place of the first', () => {
  expect(sentences(['ape', 'bee', 'ant'])).toEqual(['ape.', 'ant.', 'bee.']);
  expect(sentences(['ape', 'bee', 'ant', 'asp'])).toEqual(['3 with a.', 'bee.']);
});
