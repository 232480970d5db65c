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

/** Lists are in the order of this field, then of the id. */
const orderedBy = 'createdAt';

/** What of a list depends on a field that may be withheld, in whole or in part: the first filter, else the order. */
export function listByWithheld(
  query: Readonly<Record<string, unknown>>,
  withholdings: readonly Withholding[],
): { what: string; rule: string | undefined } | undefined {
  const holding = (field: string): Withholding | undefined =>
    withholdings.find(({ pointers }) => pointers.some((pointer) => pointer.split('/', 2)[1] === field));
  for (const parameter of Object.keys(query)) {
    const field = Object.hasOwn(filteredField, parameter) ? (filteredField[parameter] as string) : undefined;
    const found = field === undefined ? undefined : holding(field);
    if (found) return { what: `a filter on the withheld field ${field}`, rule: found.rule };
  }
  const found = holding(orderedBy);
  return found && { what: `a list, which is in the order of the withheld field ${orderedBy}`, rule: found.rule };
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
