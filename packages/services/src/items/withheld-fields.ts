/** What a query or statistics of items would disclose of fields that are withheld from the caller. */
import type { Decision } from '@topo-bench/core';
import type { ItemStats } from '@topo-bench/stores';
import type { Withholding } from './item-guard.ts';

/** Item field that each query parameter filters by. */
const filteredField: Readonly<Record<string, string>> = {
  customer: 'customer',
  status: 'status',
  from: 'createdAt',
  sku: 'lines',
};

/** The first query filter on a field that may be withheld, in whole or in part. */
export function filterOnWithheld(
  query: Readonly<Record<string, unknown>>,
  withholdings: readonly Withholding[],
): { field: string; rule: string | undefined } | undefined {
  for (const parameter of Object.keys(query)) {
    const field = Object.hasOwn(filteredField, parameter) ? filteredField[parameter] : undefined;
    if (field === undefined) continue;
    const found = withholdings.find(({ pointers }) => pointers.some((pointer) => pointer.split('/', 2)[1] === field));
    if (found) return { field, rule: found.rule };
  }
  return undefined;
}

/** Statistics without withheld status or sums. A pseudonym of a sum is useless, so it is removed too. */
export function visibleStats({ items, totalCents, byStatus }: ItemStats, { remove, pseudonymise }: Decision): object {
  const withheld = [...remove, ...pseudonymise].map((pointer) => pointer.split('/', 2)[1]);
  const sums = !withheld.includes('totalCents');
  const statuses = Object.entries(byStatus).map(([status, { items: count, totalCents: cents }]) => {
    return [status, { items: count, ...(sums && { totalCents: cents }) }];
  });
  return {
    items,
    ...(sums && { totalCents }),
    ...(!withheld.includes('status') && { byStatus: Object.fromEntries(statuses) }),
  };
}
