/**
 * Decides the steps of the services that a role is responsible for. A service without rules, or with rules that fail to
 * load, fails closed: every step is `no-rules`.
 */
import type { Decision, DeploymentGraph, FlowFacts, RequestFacts, RoleConfig, TargetFacts } from '@topo-bench/core';
import type { RuleEngine } from '@topo-bench/rule-engine';
import { targetFacts } from '@topo-bench/topology';
import { HopFailure } from './hop-failure.ts';

export class Decider {
  private constructor(
    private readonly role: string,
    private readonly engine: RuleEngine | undefined,
    /** By service index; those that this role is responsible for. */
    private readonly targets: ReadonlyMap<number, TargetFacts>,
  ) {}

  /** @param warn called once with the reason if there are no usable rules */
  static async load(
    { name, engine: engineName, graph, rules, responsibleFor }: RoleConfig & { graph: DeploymentGraph },
    warn: (reason: string) => void,
  ): Promise<Decider> {
    const targets = new Map(responsibleFor.map((service) => [service, targetFacts(graph, service)]));
    let engine: RuleEngine | undefined;
    try {
      if (!rules) throw new Error('it was given none');
      // Loaded only by a role that decides.
      const { createRuleEngine } = await import('@topo-bench/rule-engine/registry');
      engine = await createRuleEngine(engineName, rules, [...targets.values()]);
    } catch (error) {
      warn(`has no rules and refuses every step: ${(error as Error).message}`);
    }
    return new Decider(name, engine, targets);
  }

  /** @throws HopFailure `no-rules` */
  decide(service: number, request: RequestFacts, flow: FlowFacts): Decision | Promise<Decision> {
    const target = this.targets.get(service);
    if (!this.engine || !target)
      throw new HopFailure('no-rules', this.role, `${this.role} holds no rules for this step`);
    return this.engine.decide({ request, target, flow });
  }
}
