/**
 * The control side of a deployment in virtual time: it sends the messages of a change of rules stage by stage, waits
 * for confirmations, and keeps the rules with which each role starts again.
 */
import { type ChangedRules, type RuleChange, rulesAfter } from '@topo-bench/core';

/** A change of rules that is asked for at a time of the calendar. */
export interface TimedRuleChange {
  atUs: number;
  /** All messages of one stage are confirmed before the next is sent. */
  stages: readonly (readonly RulesMessage[])[];
  /** Called when the last role has confirmed, with the time since the begin of the load. */
  confirmed?: (atUs: number) => void;
}

export interface RulesMessage {
  to: string;
  change: RuleChange;
  /** Time until the message arrives; for rules that a role fetches, as a function of the time of its stage. */
  delayUs: number | ((stageUs: number) => number);
}

/** @param version in force; undefined when the role refuses the rules */
export type ConfirmRules = (version: number | undefined) => void;

/** The calendar and the roles. */
export interface ControlledRoles {
  readonly nowUs: number;
  after(delayUs: number, happen: () => void): unknown;
  isDown(role: string): boolean;
  /** Takes a message to a role that is not down. It may end without a confirmation when the role crashes. */
  deliver(role: string, change: RuleChange, confirmed: ConfirmRules): void;
}

export class ControlSide {
  /** Changes that are not confirmed yet. */
  open = 0;
  /** By role: the changes that it was sent, and confirmations that wait for it. */
  private readonly sent = new Map<string, RuleChange[]>();
  private readonly unconfirmed = new Map<string, Set<() => void>>();

  constructor(private readonly roles: ControlledRoles) {}

  /** @param startUs begin of the load */
  change({ stages, confirmed }: Omit<TimedRuleChange, 'atUs'>, startUs: number): void {
    this.open++;
    this.sendStages(stages, () => {
      this.open--;
      confirmed?.(this.roles.nowUs - startUs);
    });
  }

  /** With what a role starts again. */
  rulesOf(role: string): ChangedRules {
    return rulesAfter(this.sent.get(role) ?? []);
  }

  /** A role that is down decides nothing until it starts again, with the new rules. */
  crashed(role: string): void {
    const waiting = this.unconfirmed.get(role) ?? new Set();
    const confirms = [...waiting];
    waiting.clear();
    for (const confirm of confirms) confirm();
  }

  private sendStages([stage, ...others]: TimedRuleChange['stages'], end: () => void): void {
    if (!stage) {
      end();
      return;
    }
    let open = stage.length;
    const confirm: ConfirmRules = (version) => {
      if (version === undefined) throw new RangeError('a role refuses the rules');
      if (--open === 0) this.sendStages(others, end);
    };
    const stageUs = this.roles.nowUs;
    for (const { to, change, delayUs } of stage) {
      if (typeof delayUs === 'number') this.roles.after(delayUs, () => this.send(to, change, confirm));
      else this.send(to, change, confirm, delayUs(stageUs));
    }
  }

  /** @param fetchedAfterUs until the role fetches the rules; one that starts again before has them already */
  private send(to: string, change: RuleChange, confirm: ConfirmRules, fetchedAfterUs?: number): void {
    this.sent.set(to, [...(this.sent.get(to) ?? []), change]);
    if (this.roles.isDown(to)) {
      confirm(change.version);
      return;
    }
    const waiting = this.unconfirmed.get(to) ?? new Set();
    this.unconfirmed.set(to, waiting);
    const isDown = (): void => confirm(change.version);
    waiting.add(isDown);
    const deliver = (): void => {
      if (!waiting.has(isDown)) return;
      this.roles.deliver(to, change, (version) => {
        if (waiting.delete(isDown)) confirm(version);
      });
    };
    if (fetchedAfterUs === undefined) deliver();
    else this.roles.after(fetchedAfterUs, deliver);
  }
}
