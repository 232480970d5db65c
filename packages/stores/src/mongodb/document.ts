/** An item as a document: the id is the document's own, the time a date, all else as it is. */
import type { Item } from '@topo-bench/core';
import type { Filter } from 'mongodb';
import type { ItemPosition, ItemQuery } from '../item-query.ts';

export type ItemDocument = Omit<Item, 'id' | 'createdAt'> & { _id: string; createdAt: Date };

/** The queried fields, each ending with what lists are ordered by. */
export const indexes = [
  { key: { customer: 1, createdAt: 1, _id: 1 }, name: 'customer' },
  { key: { status: 1, createdAt: 1, _id: 1 }, name: 'status' },
  { key: { createdAt: 1, _id: 1 }, name: 'createdAt' },
] as const;

export function toDocument({ id, createdAt, ...rest }: Item): ItemDocument {
  return { _id: id, createdAt: new Date(createdAt), ...rest };
}

export function toItem({
  _id,
  createdAt,
  customer,
  status,
  currency,
  totalCents,
  lines,
  address,
  note,
}: ItemDocument): Item {
  return { id: _id, customer, status, createdAt: createdAt.toISOString(), currency, totalCents, lines, address, note };
}

/**
 * Every value stands behind `$eq` or another operator, where a document could not pass for an operator. Fields stand side by side:
 * inside `$and` not every server that speaks the protocol finds its indexes.
 */
export function filterOf({ customer, status, from, sku, after }: ItemQuery): Filter<ItemDocument> {
  const earliest = after === undefined || (from !== undefined && from > after.createdAt) ? from : after.createdAt;
  return {
    ...(customer !== undefined && { customer: { $eq: customer } }),
    ...(status !== undefined && { status: { $eq: status } }),
    ...(earliest !== undefined && { createdAt: { $gte: new Date(earliest) } }),
    ...(sku !== undefined && { 'lines.sku': { $eq: sku } }),
    ...(after !== undefined && { $or: behind(after) }),
  };
}

function behind({ createdAt, id }: ItemPosition): Filter<ItemDocument>[] {
  const time = new Date(createdAt);
  return [{ createdAt: { $gt: time } }, { createdAt: { $eq: time }, _id: { $gt: id } }];
}
