/**
 * Decides about the items of one service: the store is the target, with its own region. A call that its own facts already refuse
 * never reaches the store; where rules ask about items, every item that is read or written is decided by itself.
 */
import type { Decision, RequestFacts, TargetFacts } from '@topo-bench/core/facts';
import type { GuardedItems } from '@topo-bench/core/persistence';
import { createRuleEngine } from '@topo-bench/rule-engine/registry';
import type { RuleEngine } from '@topo-bench/rule-engine/rule-engine';
import { targetFacts } from '@topo-bench/topology/target-facts';
import type { FullConfig } from '../full-config.ts';
import type { CallFacts } from './call-facts.ts';
import { splitByPayload } from './payload-rules.ts';

/** JSON pointers that a decision withholds, and the rule that it names. */
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
    /** What rules that ask about items may withhold. */
    private readonly mayWithhold: readonly Withholding[],
    /** Whether rules ask about items: a decision about all of them at once is then impossible. */
    readonly asksItems: boolean,
    /** Whether a rule that asks about items could permit what no other rule does. */
    private readonly mayPermit: boolean,
  ) {}

  /** @throws TopoBenchError of `checkRules` */
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

  /** Decides about one item. A reroute is a denial: there is no other store to go to. */
  async decide(facts: CallFacts, payload: Record<string, unknown>): Promise<Decision> {
    return withoutReroute(await this.ask(this.engine, facts, payload));
  }

  /** Decides about a call before any item is known. @returns undefined when items may be permitted one by one */
  async decideCall(facts: CallFacts): Promise<Decision | undefined> {
    const decision = withoutReroute(await this.ask(this.engineWithoutPayload, facts, {}));
    return decision.effect === 'deny' && decision.rule === undefined && this.mayPermit ? undefined : decision;
  }

  /** Everything that could be withheld of some item in this call. */
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
