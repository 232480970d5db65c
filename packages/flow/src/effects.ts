/**
 * The effects that a run of a flow requests from its performer. One method of the run answers each effect; an ending is
 * the last one.
 */
import type { RequestFacts } from '@topo-bench/core';
import type { Sender } from './flow.ts';
import type { Outcome } from './messages.ts';

/** A counted hop. The performer waits out the link to that node before it sends. */
export interface Crossing {
  to: string;
  node: number;
  /** Position among the request's hops, for the jitter of the link. */
  hop: number;
}

export type FlowEffect =
  /** Decide the step of that service by the rules: `decided`. */
  | { kind: 'decide'; service: number }
  /** Send the service its copy of the request, or the original, and wait until its work is done: `delivered`. */
  | { kind: 'call'; service: number; crossing: Crossing; redacted: RequestFacts | undefined }
  /** Do the service's work here: `worked`. */
  | { kind: 'work'; service: number }
  /** Forward the flow: `forwarded`, after the acknowledgement (forward style) or with the outcome (nested style). */
  | { kind: 'forward'; crossing: Crossing }
  /** Open a fork and run this number of branches: `joined` with their outcomes. */
  | { kind: 'fork'; branches: number }
  | FlowEnding;

export type FlowEnding =
  /** Another role has the flow now and will report. */
  | { kind: 'handed-over'; to: string }
  /** A branch has ended at the holder of its fork. */
  | { kind: 'join'; outcome: Outcome }
  /** Send the outcome to the holder of the fork, or to the gateway. */
  | { kind: 'report'; outcome: Outcome; crossing: Crossing }
  /** Answer the sender of the message over the same link; without one, the client of the gateway. */
  | { kind: 'answer'; outcome: Outcome; back: Sender | undefined };
