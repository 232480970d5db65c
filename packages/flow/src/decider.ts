/**
 * Decides the steps of the services that a role is responsible for or takes over, by each version of the rules that it
 * has. A service without rules, or with rules that fail to load, fails closed: every step is `no-rules`.
 */
import type {
  Decision,
  DeploymentGraph,
  FlowFacts,
  RequestFacts,
  RoleConfig,
  RuleChange,
  TargetFacts,
} from '@topo-bench/core';
import type { RuleEngine } from '@topo-bench/rule-engine';
import { createRuleEngine } from '@topo-bench/rule-engine/registry';
import { targetFacts } from '@topo-bench/topology';
import { HopFailure } from './hop-failure.ts';

export class Decider {
  private constructor(
    private readonly role: string,
    private readonly engineName: RoleConfig['engine'],
    /** By version. */
    private readonly engines: Map<number, RuleEngine>,
    /** By service index; those that this role is responsible for or takes over. */
    private readonly targets: ReadonlyMap<number, TargetFacts>,
  ) {}

  /** @param warn called once with the reason if there are no usable rules */
  static async load(
    {
      name,
      engine: engineName,
      graph,
      rules,
      rulesVersion: version = 0,
      responsibleFor,
      takesOver = [],
    }: RoleConfig & { graph: DeploymentGraph },
    warn: (reason: string) => void,
  ): Promise<Decider> {
    const targets = new Map([...responsibleFor, ...takesOver].map((service) => [service, targetFacts(graph, service)]));
    const decider = new Decider(name, engineName, new Map(), targets);
    try {
      if (!rules) throw new Error('it was given none');
      await decider.prepare({ version, rules });
    } catch (error) {
      warn(`has no rules and refuses every step: ${(error as Error).message}`);
    }
    return decider;
  }

  /**
   * Builds a version next to those that it has. @throws TopoBenchError of `checkRules`
   */
  async prepare({ version, rules }: RuleChange): Promise<void> {
    if (!rules) throw new Error('it was given none');
    this.engines.set(version, await createRuleEngine(this.engineName, rules, [...this.targets.values()]));
  }

  /** A decider with one of these versions alone, as a role has it that starts. */
  startingWith(version: number): Decider {
    const own = new Decider(this.role, this.engineName, new Map(), this.targets);
    own.adopt(version, this);
    return own;
  }

  /** Takes a version that another decider of the role has built. */
  adopt(version: number, { engines }: Decider): void {
    const engine = engines.get(version);
    if (engine) this.engines.set(version, engine);
  }

  /** Forgets all versions before this one. */
  drop(before: number): void {
    for (const version of this.engines.keys()) if (version < before) this.engines.delete(version);
  }

  /** @throws HopFailure `no-rules` */
  decide(service: number, request: RequestFacts, flow: FlowFacts, version = 0): Decision | Promise<Decision> {
    const target = this.targets.get(service);
    const engine = this.engines.get(version);
    if (!engine || !target) throw new HopFailure('no-rules', this.role, `${this.role} holds no rules for this step`);
    return engine.decide({ request, target, flow });
  }
}
