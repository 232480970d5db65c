/**
 * Decides the steps of the services that a role is responsible for. Without rules for a service, or with rules that cannot be
 * loaded, it decides nothing: the step fails closed as `no-rules`.
 */
import type { Clock } from '@topo-bench/core/clock';
import type { Decision, FlowFacts, RequestFacts, TargetFacts } from '@topo-bench/core/facts';
import { HopFailure } from '@topo-bench/flow';
import type { RuleEngine } from '@topo-bench/rule-engine/rule-engine';
import { targetFacts } from '@topo-bench/topology/target-facts';
import type { FullConfig } from '../full-config.ts';

export class Decider {
  private constructor(
    private readonly role: string,
    private readonly engine: RuleEngine | undefined,
    /** By service index; those that this role is responsible for. */
    private readonly targets: ReadonlyMap<number, TargetFacts>,
    private readonly deadlineUs: number,
    private readonly clock: Clock,
  ) {}

  /** @param complain is told why there are no rules, once */
  static async load(config: FullConfig, clock: Clock, complain: (reason: string) => void): Promise<Decider> {
    const targets = new Map(config.responsibleFor.map((service) => [service, targetFacts(config.graph, service)]));
    let engine: RuleEngine | undefined;
    try {
      if (!config.rules) throw new Error('it was given none');
      // Loaded only by a role that decides.
      const { createRuleEngine } = await import('@topo-bench/rule-engine/registry');
      engine = await createRuleEngine(config.engine, config.rules, [...targets.values()]);
    } catch (error) {
      complain(`has no rules and refuses every step: ${(error as Error).message}`);
    }
    return new Decider(config.name, engine, targets, config.deadlines.hopUs, clock);
  }

  /** @throws HopFailure `no-rules`, or `deadline` when the decision came too late to be acted on */
  async decide(service: number, request: RequestFacts, flow: FlowFacts): Promise<Decision> {
    const target = this.targets.get(service);
    if (!this.engine || !target) throw new HopFailure('no-rules', this.role, `${this.role} holds no rules for this step`);
    const startUs = this.clock.nowUs();
    const decision = this.engine.decide({ request, target, flow });
    const decided = decision instanceof Promise ? await decision : decision;
    if (this.clock.nowUs() - startUs > this.deadlineUs) {
      throw new HopFailure('deadline', this.role, `${this.role} decided past its deadline`);
    }
    return decided;
  }
}
