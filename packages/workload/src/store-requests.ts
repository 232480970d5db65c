/**
 * Requests to a service with a store: reads by id, queries, additions and replacements of items. Each is a function of
 * (seed, repetition, index) alone: every configuration of the store gets the same ones.
 */
import { type RequestFacts, utf8Length } from '@topo-bench/core';
import type { RequestClass } from '@topo-bench/core/schema/topology';
import { type KeyLaw, keyLaw } from './key-law.ts';
import { requestGenerator } from './requests.ts';
import { itemId, seededItem } from './seeded-items.ts';
import { streams } from './streams.ts';

export interface StoreWorkload {
  /** Shares, 0…1: `reads` among all requests, `queries` among reads, `creates` among writes. */
  reads: number;
  queries: number;
  creates: number;
  keys: KeyLaw;
  /** Skew of the Zipfian law, above 0 and below 1. */
  skew: number;
  /** Max items of a query's page. */
  limit: number;
  /** Min size of a written item as JSON, in bytes; default 0. */
  documentBytes?: number;
  /** The initial rows of the store. */
  dataset: { rows: number; seed: number };
  /** Path of the items: at the enforcement point of the service, or `/items` at the service itself. */
  path: string;
  /** Classes of requests; each call has the facts of one drawn from them. */
  classes: readonly RequestClass[];
}

const storeOperations = ['get', 'query', 'create', 'replace'] as const;

export interface StoreRequest {
  operation: (typeof storeOperations)[number];
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: string;
  facts: Pick<RequestFacts, 'class' | 'origin' | 'purpose' | 'consents'>;
}

/** Size of a repetition's range of numbers for added items. The warm-up uses the range of repetition 0. */
const addedPerRepetition = 10_000_000;

/**
 * Returns a function from index, from 0, to request.
 * @param repetition from 1; 0 for the warm-up
 */
export function storeRequests(
  { reads, queries, creates, keys, skew, limit, documentBytes = 0, dataset, path, classes }: StoreWorkload,
  seed: number,
  repetition: number,
): (index: number) => StoreRequest {
  const { rows } = dataset;
  const drawKey = keyLaw(keys, rows, skew);
  const drawFacts = requestGenerator({ classes: classes.map((one) => ({ ...one, payload: {} })), seed, repetition });
  return (index) => {
    const random = streams.storeRequest(seed, repetition, index);
    const isRead = random.uniform() < reads;
    const isFirstKind = random.uniform() < (isRead ? queries : creates);
    const key = drawKey(random);
    const { class: name, origin, purpose, consents } = drawFacts(index);
    const facts = { class: name, origin, purpose, consents };
    if (isRead && !isFirstKind) return { operation: 'get', method: 'GET', path: `${path}/${itemId(key)}`, facts };
    if (isRead) {
      // Customer and status of an existing row: the query has a result.
      const { customer, status } = seededItem(dataset.seed, key, rows);
      const query = `customer=${customer}&status=${status}&limit=${limit}`;
      return { operation: 'query', method: 'GET', path: `${path}?${query}`, facts };
    }
    const added = rows + repetition * addedPerRepetition + index;
    const number = isFirstKind ? added : key;
    const body = written({ ...seededItem(dataset.seed, added, rows), id: itemId(number) }, documentBytes);
    return isFirstKind
      ? { operation: 'create', method: 'POST', path, body, facts }
      : { operation: 'replace', method: 'PUT', path: `${path}/${itemId(number)}`, body, facts };
  };
}

/** The item as JSON, with its note padded to the min size. */
function written(item: ReturnType<typeof seededItem>, documentBytes: number): string {
  const json = JSON.stringify(item);
  const missing = documentBytes - utf8Length(json);
  return missing <= 0 ? json : JSON.stringify({ ...item, note: item.note + '.'.repeat(missing) });
}
