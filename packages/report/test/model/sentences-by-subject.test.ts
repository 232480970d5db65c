import { expect, test } from 'vitest';
import { sentencesBySubject } from '../../src/model/sentences-by-subject.ts';

const sentences = (words: readonly string[]): string[] =>
  sentencesBySubject(
    words,
    (word) => word.charAt(0),
    (word) => `${word}.`,
    (letter, own) => `${own.length} with ${letter}.`,
  );

test('two sentences of one pattern stay, three become one at the place of the first', () => {
  expect(sentences(['ape', 'bee', 'ant'])).toEqual(['ape.', 'ant.', 'bee.']);
  expect(sentences(['ape', 'bee', 'ant', 'asp'])).toEqual(['3 with a.', 'bee.']);
});
