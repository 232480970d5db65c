/**
 * Decides calls for the items of one service. The target of the rules is the store, with its own region. A call denied
 * by its facts alone never reaches the store. Where rules read items, every item that is read or written is decided
 * separately. Rules that the facts of the call already exclude have no say. A rule that withholds the id denies the
 * item.
 */
import type {
  Decision,
  ExpandedRule,
  Facts,
  GuardedItems,
  Item,
  RequestFacts,
  RuleSet,
  TargetFacts,
} from '@topo-bench/core';
import { possibleRules, type RuleEngine } from '@topo-bench/rule-engine';
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

/** What the facts of a call determine before any item is known. */
export interface CallDecision {
  /** The decision of the rules that do not read items. */
  decision: Decision;
  /** Whether the decision refuses the call as a whole. */
  refused: boolean;
  /** Whether rules decide item by item: one decision for all items is then impossible. */
  readsItems: boolean;
  /** Whether rules may deny an item by its contents. An item that is missing must then look like a denied one. */
  mayDeny: boolean;
  /** All withholdings that are possible for some item. */
  withholdings: readonly Withholding[];
}

export class ItemGuard {
  private constructor(
    private readonly target: TargetFacts,
    private readonly categories: string[],
    private readonly engine: RuleEngine,
    private readonly engineWithoutPayload: RuleEngine,
    /** The rules that read items and that the facts of a call do not exclude. */
    private readonly possible: (facts: Facts) => ExpandedRule[],
    /** Whether there are rules that read items at all. */
    readonly hasItemRules: boolean,
  ) {}

  /** @throws TopoBenchError as `checkRules` does */
  static async load({ engine: name, graph }: FullConfig, items: GuardedItems): Promise<ItemGuard> {
    const { region, categories } = items;
    const rules = refusingWithoutId(items.rules);
    const target = { ...targetFacts(graph, items.service), region };
    const { withoutPayload, payloadRules } = splitByPayload(rules);
    return new ItemGuard(
      target,
      [...new Set(Object.values(categories))].filter((category) => category !== 'none'),
      await createRuleEngine(name, rules, [target]),
      await createRuleEngine(name, withoutPayload, [target]),
      possibleRules({ ...rules, rules: payloadRules }),
      payloadRules.length > 0,
    );
  }

  /** Decides one item, whose id is a member as any other. A reroute becomes a denial: there is no other store. */
  async decide(facts: CallFacts, item: Item): Promise<Decision> {
    return withoutReroute(await this.engine.decide(this.factsOf(facts, { ...item })));
  }

  /** Decides a call before any item is known. */
  async decideCall(facts: CallFacts): Promise<CallDecision> {
    const known = this.factsOf(facts, {});
    const decision = withoutReroute(await this.engineWithoutPayload.decide(known));
    const possible = this.possible(known);
    const has = (...effects: string[]): boolean => possible.some(({ effect }) => effects.includes(effect));
    const isDenied = decision.effect === 'deny';
    // A rule that reads items can permit what no other rule permits, but not what a rule denies.
    const byItem = isDenied && decision.rule === undefined && has('allow', 'redact');
    const withheld = possible.map(({ id, remove, pseudonymise }) => ({
      rule: id,
      pointers: [...remove, ...pseudonymise],
    }));
    const { rule, remove, pseudonymise } = decision;
    return {
      decision,
      refused: isDenied && !byItem,
      readsItems: possible.length > 0,
      mayDeny: byItem || has('deny', 'reroute'),
      withholdings: [{ rule, pointers: [...remove, ...pseudonymise] }, ...withheld],
    };
  }

  private factsOf(facts: CallFacts, payload: Record<string, unknown>): Facts {
    const request: RequestFacts = { ...facts, categories: this.categories, payload };
    return { request, target: this.target, flow: { services: [], regions: [] } };
  }
}

/** An item is addressed by its id: without it, none can be stored or listed. */
function refusingWithoutId(ruleSet: RuleSet): RuleSet {
  const rules = ruleSet.rules.map((rule) => {
    if (![...rule.remove, ...rule.pseudonymise].includes('/id')) return rule;
    return { ...rule, effect: 'deny' as const, remove: [], pseudonymise: [] };
  });
  return { ...ruleSet, rules };
}

function withoutReroute(decision: Decision): Decision {
  if (decision.effect !== 'reroute') return decision;
  return { ...decision, effect: 'deny', remove: [], pseudonymise: [], to: undefined };
}
