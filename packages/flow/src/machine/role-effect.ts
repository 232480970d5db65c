/**
 * The effects of a role: what its performer must do in the outside world, over HTTP or on a calendar. `Reply` is the
 * performer's own handle of a message that waits for its answer.
 */
import type { RequestFacts, RuleChange } from '@topo-bench/core';
import type { Crossing } from '../effects.ts';
import type { RuleIds } from '../gateway-answer.ts';
import type { Outcome } from '../messages.ts';
import type { FlowTask, Task, WorkTask } from './task.ts';

/** A deadline. `expired` of the machine takes it when its time is over, unless it was cancelled. */
export interface Timer {
  readonly afterUs: number;
  /** The performer's own: its handle of the running timer. */
  handle: unknown;
}

/** A request that waits for its outcome at the gateway. It is also the timer of its deadline. */
export interface OpenRequest<Reply> extends Timer {
  readonly id: string;
  readonly reply: Reply;
  /** Time at which its body was parsed, µs. */
  readonly t0Us: number;
}

/** The time of an open fork. */
export interface ForkTimer extends Timer {
  readonly fork: number;
}

/** The time of a step that waits for the rules with which its request is stamped. */
export interface RulesTimer<Reply> extends Timer {
  readonly step: { readonly task: FlowTask<Reply>; readonly service: number; readonly version: number };
}

/** The time after which no request can need an older rule set. */
export interface RetirementTimer extends Timer {
  readonly before: number;
}

/** The time until a message is sent again. */
export interface RetryTimer<Reply> extends Timer {
  readonly again: CallEffect<Reply> | ForwardEffect<Reply>;
}

export type AnyTimer<Reply> = OpenRequest<Reply> | ForkTimer | RulesTimer<Reply> | RetirementTimer | RetryTimer<Reply>;

/** A message to a peer. Wait for `delayUs` before it is sent: the link to the node of the peer. */
interface Sending<Reply> {
  task: FlowTask<Reply>;
  crossing: Crossing;
  delayUs: number;
}

/** Send the service its copy of the request, or the original, and wait for its answer: `delivered`. */
export interface CallEffect<Reply> extends Sending<Reply> {
  kind: 'call';
  service: number;
  redacted: RequestFacts | undefined;
}

/** Forward the flow: `forwarded`, after the acknowledgement (forward style) or with the outcome (nested style). */
export interface ForwardEffect<Reply> extends Sending<Reply> {
  kind: 'forward';
}

/** Send the outcome to the holder of the fork, or to the gateway: `reported` after the acknowledgement. */
export interface ReportEffect<Reply> extends Sending<Reply> {
  kind: 'report';
  outcome: Outcome;
}

/** Decide the step of that service by the rules of that version: `decided`. */
export interface DecideEffect<Reply> {
  kind: 'decide';
  task: FlowTask<Reply>;
  service: number;
  version: number;
}

/** Build the rules next to those in force: `rulesPrepared`, or `rulesRefused`. */
export interface PrepareRulesEffect<Reply> {
  kind: 'prepare-rules';
  change: RuleChange;
  reply: Reply | undefined;
}

/** Work for this time here: `worked`. */
export interface WorkEffect<Reply> {
  kind: 'work';
  task: Task<Reply>;
  us: number;
}

/** Answer a flow with its outcome, after the link back to its sender: `answered`. */
export interface AnswerEffect<Reply> {
  kind: 'answer';
  task: FlowTask<Reply>;
  outcome: Outcome;
  delayUs: number;
}

/** Answer a call for work, after the link back to its sender: `answered`. */
export interface AnswerWorkEffect<Reply> {
  kind: 'answer-work';
  task: WorkTask<Reply>;
  delayUs: number;
}

/** Answer a client of the gateway: `gatewayAnswer` writes it. */
export interface RespondEffect<Reply> {
  kind: 'respond';
  reply: Reply;
  outcome: Outcome;
  rttUs: number;
  pastDeadline: boolean;
  /** By version and index. */
  ruleIds: RuleIds;
  /** What ended the request. */
  endedBy: 'outcome' | 'deadline' | 'in-flight-cap';
}

/** Ask every other role when it last saw the request: `found`. */
export interface SearchEffect<Reply> {
  kind: 'search';
  request: OpenRequest<Reply>;
  /** Time for each role to answer. */
  withinUs: number;
}

export type RoleEffect<Reply> =
  /** Acknowledge a message before its work begins. */
  | { kind: 'acknowledge'; reply: Reply }
  | DecideEffect<Reply>
  | WorkEffect<Reply>
  | CallEffect<Reply>
  | ForwardEffect<Reply>
  | ReportEffect<Reply>
  | AnswerEffect<Reply>
  | AnswerWorkEffect<Reply>
  | RespondEffect<Reply>
  /** Refuse a request whose id is in flight. */
  | { kind: 'refuse-duplicate'; reply: Reply; id: string }
  | SearchEffect<Reply>
  /** A branch has ended at the fork of this role with that key. The effects of the last branch continue the flow. */
  | { kind: 'arrive'; fork: number }
  /** Call `expired` after that time. */
  | { kind: 'timer'; timer: AnyTimer<Reply> }
  | { kind: 'cancel'; timer: AnyTimer<Reply> }
  | PrepareRulesEffect<Reply>
  /** Answer the control side: every later decision of this role uses this version. */
  | { kind: 'confirm-rules'; reply: Reply; version: number }
  /** Answer the control side: the rules in force stay. */
  | { kind: 'refuse-rules'; reply: Reply; version: number; message: string }
  /** No later decision uses a version before this one. */
  | { kind: 'drop-rules'; before: number };
