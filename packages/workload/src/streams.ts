/**
 * Every random stream of a run, under one name each: nothing that a seed drives is drawn from any other. A name never
 * changes: with another one, figures that were measured under a seed would stop being comparable.
 */
import { hash32, type RandomStream, randomStream } from '@topo-bench/core';

export const streams = {
  /** Gaps between requests of one repetition. */
  arrivals: (seed: number, repetition: number): RandomStream => randomStream(seed, 'arrivals', repetition),
  /** Order in which servers take turns, of two slices that follow each other. */
  turns: (seed: number, repetition: number, pair: number): RandomStream =>
    randomStream(seed, 'turns', repetition, pair),
  /** Content of one request. */
  request: (seed: number, repetition: number, index: number): RandomStream =>
    randomStream(seed, 'request', repetition, index),
  /** The text that values of payload fields are cut from. */
  payloadText: (seed: number): RandomStream => randomStream(seed, 'payload-text'),
  /** One operation on a store. */
  storeRequest: (seed: number, repetition: number, index: number): RandomStream =>
    randomStream(seed, 'store-request', repetition, index),
  /** One row that stores start from. */
  item: (seed: number, number: number): RandomStream => randomStream(seed, 'item', number),
  /** One column of one batch of a service's table. */
  tableColumn: (seed: number, service: string, column: string, batch: number): RandomStream =>
    randomStream(seed, 'arrow', service, column, batch),
  /** Order of the cells of one round. */
  roundOrder: (seed: number, round: number): RandomStream => randomStream(seed, 'round-order', round),
} as const;

/** Single uniform draws in [0, 1), for laws that have no stream to keep: the same in every process. */
export const draws = {
  /** Work of a service on a request; never 0, so that any quantile can be taken of it. */
  work: (seed: number, requestId: string, service: string): number =>
    (hash32(`${seed}/work/${requestId}/${service}`) + 0.5) / 2 ** 32,
  /** Jitter of a crossing between two nodes. */
  link: (seed: number, requestId: string, hop: number, fromNode: number, toNode: number): number =>
    hash32(`${seed}/link/${requestId}/${hop}/${fromNode}/${toNode}`) / 2 ** 32,
} as const;
