/** Messages between roles: the position of a flow, its decisions so far, and the request itself. */
import type { DeliveredDigests, RequestFacts } from '@topo-bench/core';
import type { Effect } from '@topo-bench/core/schema/rules';
import type { DeliveryState } from './deliveries.ts';
import type { PlacedCopies } from './exposure.ts';

/** Effects as numbers on the wire. */
const effectCodes: readonly Effect[] = ['allow', 'deny', 'redact', 'reroute'];
const effectCode: Readonly<Record<Effect, number>> = { allow: 0, deny: 1, redact: 2, reroute: 3 };

/**
 * The effect of a step as one number on the wire, with the number of the rule set that decided it, and whether a point
 * decided it that takes over.
 */
export function stepCode(effect: Effect, version: number, takenOver: boolean): number {
  return effectCode[effect] + effectCodes.length * (2 * version + (takenOver ? 1 : 0));
}

/** Rule index of a step that passed without a decision. */
export const undecidedRule = -2;

export function effectOf(code: number): Effect {
  return effectCodes[code % effectCodes.length] as Effect;
}

export function versionOf(code: number): number {
  return Math.floor(code / (2 * effectCodes.length));
}

export function isTakenOver(code: number): boolean {
  return Math.floor(code / effectCodes.length) % 2 === 1;
}

/** A step rerouted to an alternative. Redactions of its first target also apply to the alternative. */
export interface Detour {
  /** Index of the alternative. */
  service: number;
  remove: string[];
  pseudonymise: string[];
}

/** The part of a message that changes from hop to hop. */
export interface FlowState {
  id: string;
  /** Instruction to run next, or `flowEnd`. */
  at: number;
  /** Role that receives the outcome of the flow, or of this branch of it. */
  replyTo: string;
  /** At the role of a fork: key of the fork and index of this branch. −1 outside any branch. */
  join: number;
  branch: number;
  detour?: Detour;
  /** Steps done, alternatives included. */
  done: number;
  /** Hops sent so far; in a branch: since the fork. */
  hops: number;
  hopsBetweenNodes: number;
  /** Decisions in flow order, three numbers each: service index, step code, rule index, −1 or `undecidedRule`. */
  steps: number[];
  /** The enforcement point whose steps the receiver decides too, because that point could not be reached. */
  takenOver?: string;
  /** The rule set that decides all steps; absent: each enforcement point uses the one that it has. */
  version?: number;
  /**
   * Where messages may come again: the time of its entry on the clock of its gateway. A client may send an id again, in
   * another request.
   */
  enteredUs?: number;
  delivered: DeliveryState;
  /** Nodes (indexes) with a process that has received the original data. Not kept under `none`. */
  reached: number[];
  placed: PlacedCopies;
  /** By category; in a branch: since the fork. */
  exposureBytes: Record<string, number>;
}

/** Forwards a flow to the next role. */
export interface FlowMessage {
  state: FlowState;
  /**
   * Remaining time of the receiver, in whole µs from its arrival. Forward style: until the gateway's deadline. Nested
   * style: until the sender's timeout. Never a time of day: clocks of hosts differ.
   */
  leftUs: number;
  /** Node of the sender: in nested style the answer returns on the same link. */
  from: number;
  request: RequestFacts;
  /** Category of each payload field that has one. */
  fieldCategories: Record<string, string>;
}

/** The end of a flow or a branch. */
export type Verdict =
  | { kind: 'completed' }
  /** `rule` is an index, −1 for the default effect. */
  | { kind: 'refused'; service: number; rule: number; version?: number }
  | { kind: 'error'; error: string; message: string };

/** Reported to the role of the fork or to the gateway. In nested style it is the answer to the message. */
export interface Outcome {
  state: FlowState;
  verdict: Verdict;
}

/** Time from the parsed body to the answer at a receiver: traced requests only. */
export interface OwnTime {
  ownUs?: number;
}

/** Nested style: the answer to a `FlowMessage`. */
export interface OutcomeAnswer extends Outcome, OwnTime {}

/** Work for a service. */
export interface WorkMessage {
  id: string;
  /** Node of the sender. */
  from: number;
  /** Position among the request's hops: jitter differs from hop to hop. */
  hop: number;
  /** Instruction of the step. */
  at: number;
  /** As in `FlowState`. */
  enteredUs?: number;
  request: RequestFacts;
}

/** Answer of a service when its work is done. */
export interface WorkAnswer extends OwnTime {
  /** Digests of the received payload. */
  delivered: DeliveredDigests;
  /** Placeholder with the size of a real service's answer. */
  answer: string;
}
