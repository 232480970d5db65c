/** An item as a document: its id is the document's, its time a date, all other fields unchanged. */
import type { Item } from '@topo-bench/core';
import type { Filter } from 'mongodb';
import type { ItemPosition, ItemQuery } from '../item-query.ts';

export type ItemDocument = Omit<Item, 'id' | 'createdAt'> & { _id: string; createdAt: Date };

/** Indexes of the queried fields, each ending with the order of lists. */
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
 * Every value is wrapped in `$eq` or another operator, so that user-supplied objects cannot act as operators. Fields
 * are siblings: some servers with this protocol find no index inside `$and`.
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
