/**
 * Decides calls for the items of one service. The target of the rules is the store, with its own region. A call denied
 * by its facts alone never reaches the store. Where rules read items, every item that is read or written is decided
 * separately.
 */
import type { Decision, GuardedItems, RequestFacts, TargetFacts } from '@topo-bench/core';
import type { RuleEngine } from '@topo-bench/rule-engine';
import { createRuleEngine } from '@topo-bench/rule-engine/registry';
import { targetFacts } from '@topo-bench/topology';
import type { FullConfig } from '../full-config.ts';
import type { CallFacts } from './call-facts.ts';
import { splitByPayload } from './payload-rules.ts';

/** JSON pointers that a decision withholds, and its rule. */
export interface Withholding {
  rule: string | undefined;
  pointers: readonly string[];
}

export class ItemGuard {
  private constructor(
    private readonly target: TargetFacts,
    private readonly categories: string[],
    private readonly engine: RuleEngine,
    private readonly engineWithoutPayload: RuleEngine,
    /** Possible withholdings of the rules that read items. */
    private readonly mayWithhold: readonly Withholding[],
    /** Whether rules read items: one decision for all items is then impossible. */
    readonly readsItems: boolean,
    /** Whether a rule that reads items could permit a call that no other rule permits. */
    private readonly mayPermit: boolean,
  ) {}

  /** @throws TopoBenchError as `checkRules` does */
  static async load({ engine: name, graph }: FullConfig, items: GuardedItems): Promise<ItemGuard> {
    const { rules, region, categories } = items;
    const target = { ...targetFacts(graph, items.service), region };
    const { withoutPayload, payloadRules } = splitByPayload(rules);
    return new ItemGuard(
      target,
      [...new Set(Object.values(categories))].filter((category) => category !== 'none'),
      await createRuleEngine(name, rules, [target]),
      await createRuleEngine(name, withoutPayload, [target]),
      payloadRules.map(({ id, remove, pseudonymise }) => ({ rule: id, pointers: [...remove, ...pseudonymise] })),
      payloadRules.length > 0,
      payloadRules.some(({ effect }) => effect === 'allow' || effect === 'redact'),
    );
  }

  /** Decides one item. A reroute becomes a denial: there is no other store. */
  async decide(facts: CallFacts, payload: Record<string, unknown>): Promise<Decision> {
    return withoutReroute(await this.ask(this.engine, facts, payload));
  }

  /**
   * Decides a call before any item is known.
   * @returns undefined if items must be decided one by one
   */
  async decideCall(facts: CallFacts): Promise<Decision | undefined> {
    const decision = withoutReroute(await this.ask(this.engineWithoutPayload, facts, {}));
    return decision.effect === 'deny' && decision.rule === undefined && this.mayPermit ? undefined : decision;
  }

  /** All withholdings that are possible for some item in this call. */
  withholdings(decision: Decision | undefined): Withholding[] {
    const own = decision ? [{ rule: decision.rule, pointers: [...decision.remove, ...decision.pseudonymise] }] : [];
    return [...own, ...this.mayWithhold];
  }

  private async ask(engine: RuleEngine, facts: CallFacts, payload: Record<string, unknown>): Promise<Decision> {
    const request: RequestFacts = { ...facts, categories: this.categories, payload };
    return engine.decide({ request, target: this.target, flow: { services: [], regions: [] } });
  }
}

function withoutReroute(decision: Decision): Decision {
  if (decision.effect !== 'reroute') return decision;
  return { ...decision, effect: 'deny', remove: [], pseudonymise: [], to: undefined };
}
