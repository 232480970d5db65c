/** JSON schemas of the item routes, for path, query and body. Draft 7, as Fastify expects. */
import { itemStatuses } from '@topo-bench/core';

/** No control characters, which some databases reject, and no lone surrogates, which all reject. */
const text = '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$';
const textWithLines = '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f\\ud800-\\udfff]*$';
/** No space at either end: some databases ignore it in comparisons. */
const trimmed =
  '^[^\\s\\u0000-\\u001f\\u007f\\ud800-\\udfff]([^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*[^\\s\\u0000-\\u001f\\u007f\\ud800-\\udfff])?$';

const id = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', not: { enum: ['stats', '.', '..'] } } as const;
const customer = { type: 'string', maxLength: 64, pattern: trimmed } as const;
const status = { type: 'string', enum: itemStatuses } as const;
const sku = { type: 'string', maxLength: 64, pattern: trimmed } as const;
/** An integer of cents that every database adds up without loss. */
const cents = { type: 'integer', minimum: 0, maximum: 2_000_000_000 } as const;
const short = { type: 'string', maxLength: 200, pattern: text } as const;
/** UTC in milliseconds, as `Date` prints it. */
const time = { type: 'string', format: 'iso-time' } as const;

const line = {
  type: 'object',
  additionalProperties: false,
  required: ['sku', 'quantity', 'priceCents'],
  properties: {
    sku,
    title: { ...short, default: '' },
    quantity: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    priceCents: cents,
  },
} as const;

const address = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    name: { ...short, default: '' },
    street: { ...short, default: '' },
    city: { ...short, default: '' },
    postcode: { type: 'string', maxLength: 32, pattern: text, default: '' },
    country: { type: 'string', pattern: '^([A-Z]{2})?$', default: '' },
  },
} as const;

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['customer', 'status', 'totalCents'],
  properties: {
    id,
    customer,
    status,
    createdAt: time,
    currency: { type: 'string', pattern: '^[A-Z]{3}$', default: 'EUR' },
    totalCents: cents,
    lines: { type: 'array', maxItems: 100, items: line, default: [] },
    address,
    note: { type: 'string', maxLength: 16_000, pattern: textWithLines, default: '' },
  },
} as const;

export const newItemSchema = item;
/** A full replacement includes the creation time. */
export const replacementSchema = { ...item, required: [...item.required, 'createdAt'] } as const;
export const idSchema = { type: 'object', required: ['id'], properties: { id } } as const;

/** Max items in an answer of the store. */
export const maxPageItems = 1000;
/** Query parameters; numbers arrive as text. */
export const querySchema = (cursors: 'cursor' | 'sealed-cursor') => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    customer,
    status,
    from: { type: 'string', format: 'date-or-time' },
    sku,
    limit: { type: 'integer', minimum: 1, maximum: maxPageItems, default: 20 },
    after: { type: 'string', format: cursors },
  },
});
export const nothingSchema = { type: 'object', additionalProperties: false, properties: {} } as const;
