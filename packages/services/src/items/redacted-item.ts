/** An item out of what a redaction left of it: still of the shape that stores keep, with nothing where something was taken out. */
import type { Item } from '@topo-bench/core/item';

const nothing = { customer: '', currency: '', totalCents: 0, lines: [], address: {}, note: '' };
const nothingInAddress = { name: '', street: '', city: '', postcode: '', country: '' };
const nothingInLine = { sku: '', title: '', quantity: 0, priceCents: 0 };

/**
 * A value of another type than the field's (the pseudonym of a number, of a list) is left out as well.
 * @param redacted the item without its id, redacted
 * @returns undefined when what was taken out is needed to keep the item at all: its status, or when it was created
 */
export function redactedItem(item: Item, redacted: Record<string, unknown>): Item | undefined {
  if (redacted.status !== item.status || redacted.createdAt !== item.createdAt) return undefined;
  const { id, status, createdAt } = item;
  const fields = fill(nothing, redacted);
  const lines = (fields.lines as unknown[]).map((line) => fill(nothingInLine, asRecord(line)));
  const address = fill(nothingInAddress, asRecord(redacted.address));
  return { ...fields, id, status, createdAt, lines, address };
}

function fill<T extends object>(blank: T, values: Record<string, unknown>): T {
  const filled = Object.entries(blank).map(([name, empty]) => {
    const value = values[name];
    return [name, typeof value === typeof empty && Array.isArray(value) === Array.isArray(empty) ? value : empty];
  });
  return Object.fromEntries(filled) as T;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
