/** Where the operations of a turn are written: a trace, which is performed many times, or a calendar that runs. */
import type { DeliveredDigests } from '@topo-bench/core';
import type { AnyTimer, GatewayAnswer, Outcome } from '@topo-bench/flow';
import type { ConfirmRules } from '@topo-bench/flow/memory';

/** A message at its receiver: the turn of its sender that reads the answer, and the answer itself. */
export interface ScriptReply {
  turn: number;
  /** Name of the sender; absent for a client. */
  from?: string;
  /** Nested style: the outcome of a forwarded flow. */
  outcome?: Outcome;
  /** Digests of the payload that a service received. */
  delivered?: DeliveredDigests;
  /** For a client: takes the answer of the gateway. */
  respond?: (answer: GatewayAnswer) => void;
  /** For the control side: takes the version that is in force. */
  confirmed?: ConfirmRules;
}

export type ScriptTimer = AnyTimer<ScriptReply>;

/** A call that waits for its answer: the request that it belongs to, and its failure, in a turn of the caller. */
export interface OpenCall {
  request: number;
  fail: () => void;
}

export interface TurnWriter {
  /** Virtual time at which the current turn began. */
  readonly nowUs: number;
  /** Adds an operation to the current turn. */
  write(code: number, a?: number, b?: number, c?: number): void;
  /**
   * A later turn.
   * @param process index of the role, or its number of roles for the generator
   * @param begin writes the operations of the turn when it begins
   * @returns its number, for operations
   */
  turn(process: number, begin: () => void): number;
  /** A deadline of the machine of a role. */
  startTimer(process: number, timer: ScriptTimer, expire: () => void): void;
  /** A step that has waited for rules continues after it, in the turn in which they came. */
  cancelTimer(process: number, timer: ScriptTimer): void;
  /** A branch has ended at its fork. */
  arrive(process: number, fork: number): void;
  /** The timeout of a hop. @returns cancels it, once its answer is read */
  hopTimeout(process: number, withinUs: number, expire: () => void): () => void;
  /** A call of the current request. @param fail ends it in a turn of its own */
  callOf(fail: () => void): OpenCall;
  /** The answer of a hop that has timed out: its turn never begins. */
  drop(turn: number): void;
}
