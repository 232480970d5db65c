/**
 * Realistic orders from a seed. An item is a function of (seed, number) alone: every store starts from the same rows,
 * and load generators know them without a query. Few customers have many orders, statuses have uneven shares, and an
 * order has one to five lines. An item is about 700 bytes of JSON.
 */
import type { Item, ItemLine, ItemStatus, RandomStream } from '@topo-bench/core';
import { streams } from './streams.ts';

const firstDayMs = Date.UTC(2025, 0, 1);
const spanMs = 365 * 24 * 3600 * 1000;
/** Orders per customer on average. */
const ordersPerCustomer = 10;

const statusShares: readonly [ItemStatus, number][] = [
  ['delivered', 0.62],
  ['shipped', 0.1],
  ['paid', 0.1],
  ['open', 0.08],
  ['returned', 0.06],
  ['cancelled', 0.04],
];

const places = [
  ['Berlin', '10115', 'DE'],
  ['München', '80331', 'DE'],
  ['Lyon', '69001', 'FR'],
  ['Kraków', '31-001', 'PL'],
  ['København', '1050', 'DK'],
  ['Valencia', '46001', 'ES'],
  ['Boston', '02108', 'US'],
  ['Nagoya', '460-0001', 'JP'],
] as const;
const firstNames = ['Ana', 'Béla', 'Chloé', 'Dario', 'Emil', 'Freja', 'Grace', 'Hiro', 'Ines', 'Jörg', 'Katya', 'Luis'];
const lastNames = [
  'Nowak',
  'Silva',
  'Bauer',
  'Rossi',
  'Jensen',
  'Moreau',
  'Tanaka',
  'O’Brien',
  'Kovács',
  'García',
  'Smith',
];
const streets = ['Station Road', 'Lindenallee', 'Rue du Port', 'Calle Mayor', 'Main Street', 'Ulica Długa'];
const articles = [
  'kettle',
  'desk lamp',
  'notebook',
  'rain jacket',
  'bicycle pump',
  'frying pan',
  'headphones',
  'wool socks',
];
const colours = ['black', 'blue', 'green', 'red', 'white', 'yellow'];
const notes = [
  '',
  '',
  '',
  'Leave with the neighbour, please.',
  'Gift: no invoice in the parcel.',
  'Ring twice; the bell is slow.',
];
const articleCount = 5000;

/** Number of customers of a data set. */
function customerCount(rows: number): number {
  return Math.max(1, Math.ceil(rows / ordersPerCustomer));
}

/** @param number number of the customer, 0…customerCount − 1 */
function customerName(number: number): string {
  return `c-${String(number).padStart(6, '0')}`;
}

/** @param number number of the item: 0…rows − 1 in the data set, from `rows` on for added items */
export function itemId(number: number): string {
  return `o-${String(number).padStart(9, '0')}`;
}

/**
 * The items of a data set in batches, for the inserts of a store.
 * @param signal cancels between two batches
 */
export function* seededBatches(
  { rows, seed }: { rows: number; seed: number },
  size: number,
  signal?: AbortSignal,
): Generator<Item[]> {
  for (let first = 0; first < rows; first += size) {
    signal?.throwIfAborted();
    yield Array.from({ length: Math.min(size, rows - first) }, (_, i) => seededItem(seed, first + i, rows));
  }
}

/** @param rows rows of the item's data set; they determine the number of customers */
export function seededItem(seed: number, number: number, rows: number): Item {
  const random = streams.item(seed, number);
  const lines = Array.from({ length: 1 + random.integer(5) }, () => seededLine(random));
  const [city, postcode, country] = pick(random, places);
  return {
    id: itemId(number),
    // Squared: a tenth of the customers has about a third of the orders.
    customer: customerName(Math.floor(random.uniform() ** 2 * customerCount(rows))),
    status: seededStatus(random),
    createdAt: new Date(firstDayMs + Math.floor(random.uniform() * spanMs)).toISOString(),
    currency: country === 'US' ? 'USD' : country === 'JP' ? 'JPY' : 'EUR',
    totalCents: lines.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0),
    lines,
    address: {
      name: `${pick(random, firstNames)} ${pick(random, lastNames)}`,
      street: `${pick(random, streets)} ${1 + random.integer(200)}`,
      city,
      postcode,
      country,
    },
    note: pick(random, notes),
  };
}

function seededLine(random: RandomStream): ItemLine {
  const article = random.integer(articleCount);
  const quantity = 1 + random.integer(3);
  return {
    sku: `sku-${String(article).padStart(5, '0')}`,
    title: `${colours[article % colours.length]} ${articles[article % articles.length]}, model ${article}`,
    quantity,
    priceCents: 199 + ((article * 7919) % 20_000),
  };
}

function seededStatus(random: RandomStream): ItemStatus {
  let left = random.uniform();
  for (const [status, share] of statusShares) {
    left -= share;
    if (left < 0) return status;
  }
  return 'delivered';
}

function pick<T>(random: RandomStream, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}
