/**
 * Requests to a service that keeps data: reads by id and by the queried fields, items that are added and items that are
 * replaced. Each is a function of (seed, repetition, index) alone, so that every configuration of the store gets the same ones.
 */
import type { RequestFacts } from '@topo-bench/core';
import type { KeyLaw } from '@topo-bench/core/schema/experiment';
import type { RequestClass } from '@topo-bench/core/schema/topology';
import { keyLaw } from './key-law.ts';
import { requestGenerator } from './requests.ts';
import { itemId, seededItem } from './seeded-items.ts';
import { streams } from './streams.ts';

export interface StoreWorkload {
  /** Shares, 0…1: of reads among all requests, of queries among the reads, of additions among the writes. */
  reads: number;
  queries: number;
  creates: number;
  keys: KeyLaw;
  /** Of the zipfian law, above 0 and below 1. */
  skew: number;
  /** Items of a page that a query asks for. */
  limit: number;
  /** Least size in bytes of an item that is written, as JSON; undefined: as it comes. */
  documentBytes?: number;
  /** The rows that the store starts from. */
  dataset: { rows: number; seed: number };
  /** Path of the items: of the enforcement point of the service, or `/items` of the service itself. */
  path: string;
  /** Classes of requests: each call states the facts of one that is drawn from them. */
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

/** Numbers of added items: apart from the rows, from those of other repetitions and from those of the warm-up (repetition 0). */
const addedPerRepetition = 10_000_000;

/** Gives the request of that index, from 0. @param repetition from 1; 0 is the warm-up's */
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
      // The customer and status of a row that is there: a question that has an answer.
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

/** As JSON, with a note that is long enough to make up the size. */
function written(item: ReturnType<typeof seededItem>, documentBytes: number): string {
  const json = JSON.stringify(item);
  const missing = documentBytes - Buffer.byteLength(json);
  return missing <= 0 ? json : JSON.stringify({ ...item, note: item.note + '.'.repeat(missing) });
}
