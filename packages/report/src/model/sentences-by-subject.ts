/** Sentences of one pattern: from three on, one sentence stands for all of them, and the tables have each. */
import { groupedBy } from '@topo-bench/core';

/** More than this share one sentence. */
const maxAlike = 2;

/**
 * @param subject what items of one pattern have in common
 * @param one the sentences of one item
 * @param many the sentences of all items with the subject
 * @returns in the order in which the subjects appear
 */
export function sentencesBySubject<Item>(
  items: readonly Item[],
  subject: (item: Item) => string,
  one: (item: Item) => string | readonly string[],
  many: (subject: string, items: readonly Item[]) => string | readonly string[],
): string[] {
  return [...groupedBy(items, subject)].flatMap(([name, own]) =>
    own.length > maxAlike ? many(name, own) : own.flatMap(one),
  );
}
