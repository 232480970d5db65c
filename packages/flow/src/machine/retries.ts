/**
 * Messages that a role sends again because their receiver could not be reached, and work that a service does once for
 * each step of a request, however often it is asked for it.
 */
import type { FlowRole } from '../flow-role.ts';
import { HopFailure } from '../hop-failure.ts';
import type { CallEffect, ForwardEffect, RetryTimer, RoleEffect } from './role-effect.ts';
import type { FlowTask } from './task.ts';

/** Allowed beyond the budget, so that a role with few messages has retries too. */
const alwaysAllowed = 10;
/** The budget counts messages of this window and of the one before: a past load pays for no retries. */
const windowUs = 10_000_000;

interface Window {
  startUs: number;
  sent: number;
  repeated: number;
}
const noWindow: Readonly<Window> = { startUs: 0, sent: 0, repeated: 0 };

interface Attempt<Reply> {
  effect: CallEffect<Reply> | ForwardEffect<Reply>;
  /** How often it was sent again after a time. */
  times: number;
}

export class Retries<Reply> {
  private young: Window = { ...noWindow };
  private old = noWindow;
  /** By task: the last message that it sent, and how often that was sent again. */
  private readonly attempts = new WeakMap<FlowTask<Reply>, Attempt<Reply>>();

  constructor(
    private readonly role: FlowRole,
    private readonly perform: (effect: RoleEffect<Reply>) => void,
  ) {}

  /**
   * Notes a message before it is sent, also one that is sent again: it is the same hop of its request.
   * @param leaves whether no breaker refuses it
   */
  sends(effect: CallEffect<Reply> | ForwardEffect<Reply>, nowUs: number, leaves: boolean): void {
    if (!this.role.retries) return;
    const known = this.attempts.get(effect.task);
    if (known?.effect.kind === effect.kind && known.effect.crossing.hop === effect.crossing.hop) {
      known.effect = effect;
      return;
    }
    this.turn(nowUs);
    if (leaves) this.young.sent++;
    this.attempts.set(effect.task, { effect, times: 0 });
  }

  /** @returns whether the message of the task is sent again */
  again(task: FlowTask<Reply>, error: unknown, nowUs: number): boolean {
    const { retries } = this.role;
    const attempt = this.attempts.get(task);
    if (!retries || !attempt || !(error instanceof HopFailure) || !error.isUnreachable) return false;
    if (error.isSent && !this.isDoneOnce(attempt.effect)) return false;
    const { count, afterUs, budget } = retries;
    if (attempt.times >= count || nowUs + afterUs >= task.run.flow.expiresUs) return false;
    this.turn(nowUs);
    const { young, old } = this;
    if (young.repeated + old.repeated >= alwaysAllowed + budget * (young.sent + old.sent)) return false;
    attempt.times++;
    young.repeated++;
    const timer: RetryTimer<Reply> = { again: attempt.effect, afterUs, handle: undefined };
    this.perform({ kind: 'timer', timer });
    return true;
  }

  private turn(nowUs: number): void {
    const { young } = this;
    if (nowUs - young.startUs < windowUs) return;
    this.young = { startUs: nowUs, sent: 0, repeated: 0 };
    this.old = nowUs - young.startUs < 2 * windowUs ? young : noWindow;
  }

  /** A flow may have gone on, and have been decided, at its receiver. User-supplied services work on each call. */
  private isDoneOnce(effect: Attempt<Reply>['effect']): boolean {
    return effect.kind === 'call' && this.role.graph.services[effect.service]?.userPath === undefined;
  }
}

/** Steps of a generation. */
const generationSize = 16_384;

/** Two generations of steps, the older one dropped when the younger one is full. */
export class WorkOnce {
  /** By step: those that wait for the end of its work; undefined once it is done. */
  private young = new Map<string, (() => void)[] | undefined>();
  private old: typeof this.young = new Map();

  /**
   * @param step of a request
   * @param answer called at once for work that is done, or at its end if it is in progress
   * @returns whether the work begins now; then `answer` is not called
   */
  begin(step: string, answer: () => void): boolean {
    const known = this.young.has(step) ? this.young : this.old;
    if (known.has(step)) {
      const waiting = known.get(step);
      if (waiting) waiting.push(answer);
      else answer();
      return false;
    }
    if (this.young.size >= generationSize) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(step, []);
    return true;
  }

  end(step: string): void {
    const known = this.young.has(step) ? this.young : this.old;
    const waiting = known.get(step) ?? [];
    if (known.has(step)) known.set(step, undefined);
    for (const answer of waiting) answer();
  }
}
