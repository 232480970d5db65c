/** What travels from hop to hop: where the flow stands, what was decided so far, and the request itself. */
import type { DeliveredDigests } from '@topo-bench/core/delivered-digest';
import type { RequestFacts } from '@topo-bench/core/facts';
import type { Effect } from '@topo-bench/core/schema/rules';
import type { DeliveryState } from './deliveries.ts';
import type { PlacedCopies } from './exposure.ts';

/** Effects as numbers on the wire: a decision is three numbers, [service, effect, rule]. */
export const effectCodes: readonly Effect[] = ['allow', 'deny', 'redact', 'reroute'];
export const effectCode: Readonly<Record<Effect, number>> = { allow: 0, deny: 1, redact: 2, reroute: 3 };

/** A step goes to an alternative; what the rules of its first target withhold is withheld from the alternative too. */
export interface Detour {
  /** Index of the alternative. */
  service: number;
  remove: string[];
  pseudonymise: string[];
}

/** The part of a message that changes on its way. */
export interface FlowState {
  id: string;
  /** Instruction to run next, or `flowEnd`. */
  at: number;
  /** Role that is told how the flow, or this branch of it, ended. */
  replyTo: string;
  /** At the holder of a fork: which fork, and which of its branches this is. −1 outside any branch. */
  join: number;
  branch: number;
  detour?: Detour;
  /** Steps done, alternatives included. */
  done: number;
  /** Hops sent so far; in a branch: since the fork. */
  hops: number;
  hopsBetweenNodes: number;
  /** Decisions in flow order, three numbers each: service index, effect code, rule index or −1. */
  steps: number[];
  delivered: DeliveryState;
  /** Nodes (indexes) with a process that has received the original data. Not kept under `none`. */
  reached: number[];
  placed: PlacedCopies;
  /** By category; in a branch: since the fork. */
  exposureBytes: Record<string, number>;
  /** Wall clock in ms: when the gateway gives the request up. */
  expiresMs: number;
  /** Wall clock in ms: by when this hop must have answered. A hop that reads the message later leaves it alone. */
  dueMs: number;
  /** Node that sent it: an answer that carries an outcome takes the same link back. */
  from: number;
  /** Traced requests only: when it was handed to the network, µs of the host's monotonic clock. */
  sentUs?: number;
}

export interface FlowMessage {
  state: FlowState;
  request: RequestFacts;
  /** Category of each payload field that has one. */
  fieldCategories: Record<string, string>;
}

/** How a flow or a branch ended. */
export type Verdict =
  | { kind: 'completed' }
  /** `rule` is an index, −1 for the default effect. */
  | { kind: 'refused'; service: number; rule: number }
  | { kind: 'error'; error: string; message: string };

/** Reported to the holder of the fork or to the gateway; in nested style the answer to the message. */
export interface Outcome {
  state: FlowState;
  verdict: Verdict;
}

/** What a service answers when its work is done. */
export interface WorkAnswer {
  /** Of the payload that it received. */
  delivered: DeliveredDigests;
  /** Stands for the answer of a real service, in its size. */
  answer: string;
}

/** What a service gets. */
export interface WorkMessage {
  id: string;
  from: number;
  /** Place among the request's hops, so that jitter differs from hop to hop. */
  hop: number;
  sentUs?: number;
  request: RequestFacts;
}
