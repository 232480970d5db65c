/** Answers of an enforcement point to calls for items, each with a report of its decisions. */
import { enforcementHeader, type ItemDecision, type ItemEnforcement, writeEnforcement } from '@topo-bench/core';
import type { Effect } from '@topo-bench/core/schema/rules';
import type { HopAnswer } from '../hops/hop-call.ts';
import type { Call } from '../http/http-port.ts';

const denial: ItemDecision = { effect: 'deny' };

export class EnforcedAnswers {
  /** @param count called for every decision */
  constructor(private readonly count: (effect: Effect) => void) {}

  refuse(call: Call, decision: ItemDecision, what = 'this call', exposureBytes: Record<string, number> = {}): void {
    const { rule } = decision;
    const message = rule === undefined ? `no rule allows ${what}` : `the rule ${rule} refuses ${what}`;
    const body = { error: 'refused', message, ...(rule !== undefined && { rule }) };
    call.answer(451, JSON.stringify(body), this.report([decision], { exposureBytes }));
  }

  /**
   * One answer for an item that is denied by its contents and for one that does not exist. It names no rule: the rule
   * would disclose contents.
   */
  withhold(call: Call): void {
    const message = `item ${call.parameter} does not exist, or the rules refuse it to this call`;
    call.answer(451, JSON.stringify({ error: 'refused', message }), this.report([denial], { exposureBytes: {} }));
  }

  /** Refuses to replace an item that is denied by its contents. */
  protect(call: Call, exposureBytes: Record<string, number>): void {
    const message = `the rules refuse to replace the item ${call.parameter}`;
    call.answer(451, JSON.stringify({ error: 'refused', message }), this.report([denial], { exposureBytes }));
  }

  /** Forwards the service's answer unchanged. */
  pass(
    call: Call,
    { status, text, delivered }: HopAnswer,
    decisions: readonly ItemDecision[],
    exposureBytes: Record<string, number> = {},
    headers: Record<string, string> = {},
  ): void {
    const retry = status === 503 ? { 'retry-after': '1' } : {};
    call.answer(status, text, {
      ...headers,
      ...retry,
      ...this.report(decisions, { exposureBytes, ...(delivered && { delivered: JSON.parse(delivered) }) }),
    });
  }

  send(call: Call, status: number, body: object, decisions: readonly ItemDecision[]): void {
    call.answer(status, JSON.stringify(body), this.report(decisions, { exposureBytes: {} }));
  }

  /** Counts the decisions and reports the same ones in the answer. */
  private report(
    decisions: readonly ItemDecision[],
    others: Omit<ItemEnforcement, 'decisions'>,
  ): Record<string, string> {
    for (const { effect } of decisions) this.count(effect);
    return { [enforcementHeader]: writeEnforcement(decisions, others) };
  }
}
