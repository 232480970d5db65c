/** An item as a document: the id is the document's own, the time a date, all else as it is. */
import type { Filter } from 'mongodb';
import type { Item, ItemQuery } from '../item.ts';

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

export function toItem({ _id, createdAt, customer, status, currency, totalCents, lines, address, note }: ItemDocument): Item {
  return { id: _id, customer, status, createdAt: createdAt.toISOString(), currency, totalCents, lines, address, note };
}

/** Every value stands behind `$eq` or another operator, where a document could not pass for an operator. */
export function filterOf({ customer, status, from, sku, after }: ItemQuery): Filter<ItemDocument> {
  const conditions: Filter<ItemDocument>[] = [];
  if (customer !== undefined) conditions.push({ customer: { $eq: customer } });
  if (status !== undefined) conditions.push({ status: { $eq: status } });
  if (from !== undefined) conditions.push({ createdAt: { $gte: new Date(from) } });
  if (sku !== undefined) conditions.push({ 'lines.sku': { $eq: sku } });
  if (after !== undefined) {
    const time = new Date(after.createdAt);
    conditions.push({ $or: [{ createdAt: { $gt: time } }, { createdAt: { $eq: time }, _id: { $gt: after.id } }] });
  }
  return conditions.length > 0 ? { $and: conditions } : {};
}
