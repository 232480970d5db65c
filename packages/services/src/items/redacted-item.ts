/** Restores the stored shape of an item after redaction: removed values become empty ones. */
import type { Item } from '@topo-bench/core';

const nothing = { customer: '', currency: '', totalCents: 0, lines: [], address: {}, note: '' };
const nothingInAddress = { name: '', street: '', city: '', postcode: '', country: '' };
const nothingInLine = { sku: '', title: '', quantity: 0, priceCents: 0 };

/**
 * A value of a wrong type, such as the pseudonym of a number or a list, becomes empty too.
 * @param redacted the redacted item without its id
 * @returns undefined if the status or the creation time was redacted: the item cannot be stored then
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
