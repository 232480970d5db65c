/**
 * The named random streams of a run. All seeded draws come from them. Names must never change: earlier figures of the
 * same seed would no longer be comparable.
 */
import { hash32, type RandomStream, randomStream } from '@topo-bench/core';

export const streams = {
  /** Gaps between requests of one repetition. */
  arrivals: (seed: number, repetition: number): RandomStream => randomStream(seed, 'arrivals', repetition),
  /** Order of the servers in two consecutive slices of load. */
  turns: (seed: number, repetition: number, pair: number): RandomStream =>
    randomStream(seed, 'turns', repetition, pair),
  /** Content of one request. */
  request: (seed: number, repetition: number, index: number): RandomStream =>
    randomStream(seed, 'request', repetition, index),
  /** Source text of payload values. */
  payloadText: (seed: number): RandomStream => randomStream(seed, 'payload-text'),
  /** One operation on a store. */
  storeRequest: (seed: number, repetition: number, index: number): RandomStream =>
    randomStream(seed, 'store-request', repetition, index),
  /** One initial row of a store. */
  item: (seed: number, number: number): RandomStream => randomStream(seed, 'item', number),
  /** One ticket of `store_sales`, and one of its rows. */
  storeSalesTicket: (seed: number, ticket: number): RandomStream => randomStream(seed, 'store-sales-ticket', ticket),
  storeSalesRow: (seed: number, row: number): RandomStream => randomStream(seed, 'store-sales-row', row),
  /** One column of one batch of a service's table. */
  tableColumn: (seed: number, service: string, column: string, batch: number): RandomStream =>
    randomStream(seed, 'arrow', service, column, batch),
  /** Course of one trip. */
  trip: (seed: number, number: number): RandomStream => randomStream(seed, 'trip', number),
  /** Delays between the events of all trips and their arrival. */
  arrivalDelay: (seed: number): RandomStream => randomStream(seed, 'arrival-delay'),
  /** Popular places of a map, and what one of its users does. */
  mapPlaces: (seed: number): RandomStream => randomStream(seed, 'map-places'),
  mapUser: (seed: number, user: number): RandomStream => randomStream(seed, 'map-user', user),
  /** Map queries without repeats. */
  randomQueries: (seed: number): RandomStream => randomStream(seed, 'random-queries'),
  /** Conditions of the rules that are generated for one service. */
  generatedRules: (seed: number, service: string): RandomStream => randomStream(seed, 'generated-rules', service),
  /** Times at which a role crashes. */
  crashes: (seed: number, repetition: number, role: string): RandomStream =>
    randomStream(seed, 'crashes', repetition, role),
  /** When an enforcement point asks for rules, within the interval of its polls. */
  polls: (seed: number, repetition: number, role: string): RandomStream =>
    randomStream(seed, 'polls', repetition, role),
  /** Order of the cells of one round. */
  roundOrder: (seed: number, round: number): RandomStream => randomStream(seed, 'round-order', round),
} as const;

/** Single uniform draws in [0, 1) for stateless laws, the same in every process. */
export const draws = {
  /** Work of a service on a request; never 0, which keeps every quantile finite. */
  work: (seed: number, requestId: string, service: string): number =>
    (hash32(`${seed}/work/${requestId}/${service}`) + 0.5) / 2 ** 32,
  /** Jitter of a crossing between two nodes. */
  link: (seed: number, requestId: string, hop: number, fromNode: number, toNode: number): number =>
    hash32(`${seed}/link/${requestId}/${hop}/${fromNode}/${toNode}`) / 2 ** 32,
} as const;
