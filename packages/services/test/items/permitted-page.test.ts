/** Pages of permitted items out of a store with denied ones. */
import { type Decision, type Item, noRule } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { readCursor, toCursor } from '../../src/items/cursor.ts';
import { permittedPage } from '../../src/items/permitted-page.ts';

const idOf = (number: number): string => String(number).padStart(5, '0');
const itemOf = (number: number): Item => ({ id: idOf(number), createdAt: '2026-03-01T00:00:00.000Z' }) as Item;
const decisionOf = (effect: 'allow' | 'deny'): Decision => {
  return { effect, rule: undefined, ruleIndex: noRule, rules: [], remove: [], pseudonymise: [], to: undefined };
};

/** @param permitted of the items 0, 1, … `rows` − 1 */
function pageOver(
  rows: number,
  permitted: (number: number) => boolean,
  limit: number,
  { mayDeny = true, timeoutMs = 60_000 } = {},
) {
  const limits: number[] = [];
  let denied = 0;
  const page = permittedPage({
    query: { limit },
    async read(query) {
      const size = Number(query.limit);
      limits.push(size);
      const first = query.after === undefined ? 0 : Number(readCursor(query.after)?.id) + 1;
      const items = Array.from({ length: Math.min(size, rows - first) }, (_, at) => itemOf(first + at));
      const last = items.at(-1);
      return {
        status: 200,
        text: JSON.stringify({ items, next: items.length === size && last ? toCursor(last) : null }),
      };
    },
    decide: async ({ id }) => decisionOf(permitted(Number(id)) ? 'allow' : 'deny'),
    mayDeny,
    onDenied: () => denied++,
    timeoutMs,
  });
  return { page, limits, denied: () => denied };
}

it('a page reads on, with growing reads, until it has the wanted number of items', async () => {
  const { page, limits, denied } = pageOver(5000, (number) => number === 0 || number >= 2500, 3);
  expect(await page).toMatchObject({ items: [0, 2500, 2501].map((number) => ({ item: itemOf(number) })) });
  expect(await page).toMatchObject({ next: toCursor(itemOf(2501)) });
  expect(limits).toEqual([103, 206, 412, 824, 1000]);
  expect(denied()).toBe(2499);
});

it('a page is the last one when the store has no further item, permitted or not', async () => {
  for (const rows of [4, 5, 7]) {
    const { page } = pageOver(rows, (number) => number < 2, 3);
    expect(await page).toMatchObject({ items: [{ item: itemOf(0) }, { item: itemOf(1) }], next: null });
  }
});

it('a page that is not ready in its time is a 504, after at least one read', async () => {
  const { page, limits } = pageOver(5000, () => false, 3, { timeoutMs: -1 });
  await expect(page).rejects.toMatchObject({ status: 504, error: 'deadline' });
  expect(limits).toEqual([103]);
});

it('up to 100 denied items cost no further read, nor do permitted ones where no item may be denied', async () => {
  for (const wanted of [1, 3, 20]) {
    for (const denied of [0, 1, 100]) {
      const { page, limits } = pageOver(500, (number) => number >= denied, wanted);
      expect((await page) as object).toMatchObject({ next: toCursor(itemOf(denied + wanted - 1)) });
      expect(limits).toEqual([wanted + 100]);
    }
    const { page, limits } = pageOver(500, () => true, wanted, { mayDeny: false });
    await page;
    expect(limits).toEqual([wanted]);
  }
});
