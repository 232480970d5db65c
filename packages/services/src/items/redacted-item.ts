/** Restores the stored shape of an item after redaction: removed values become empty ones. */
import type { Item } from '@topo-bench/core';

const nothing = { customer: '', currency: '', totalCents: 0, lines: [], address: {}, note: '' };
const nothingInAddress = { name: '', street: '', city: '', postcode: '', country: '' };
const nothingInLine = { sku: '', title: '', quantity: 0, priceCents: 0 };

/** Forms that a pseudonym does not have; an empty text has them. */
const formsInAddress: Readonly<Record<string, RegExp>> = { postcode: /^.{0,32}$/u, country: /^([A-Z]{2})?$/ };

/**
 * A value of a wrong type or form, such as the pseudonym of a number, a list or a country, becomes empty too.
 * @param redacted the redacted item without its id
 */
export function redactedItem({ id, status, createdAt }: Item, redacted: Record<string, unknown>): Item {
  const fields = fill(nothing, redacted);
  const lines = (fields.lines as unknown[]).map((line) => fill(nothingInLine, asRecord(line)));
  const address = fill(nothingInAddress, asRecord(redacted.address));
  for (const [name, form] of Object.entries(formsInAddress)) {
    const member = name as keyof typeof address;
    if (!form.test(address[member])) address[member] = '';
  }
  return { ...fields, id, status, createdAt, lines, address };
}

/**
 * The first field without which no item can be stored, if redaction took it or gave it another form.
 * @param redacted the redacted item without its id
 */
export function lostField(item: Item, redacted: Record<string, unknown>): string | undefined {
  const changed = (['status', 'createdAt', 'currency'] as const).find((field) => redacted[field] !== item[field]);
  const { customer, lines } = redactedItem(item, redacted);
  if (changed === undefined && customer === '') return 'customer';
  const isWhole = lines.every(({ sku, quantity }) => sku !== '' && quantity > 0);
  return changed ?? (isWhole ? undefined : 'lines');
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
