/**
 * Performs the effects of flow runs over HTTP: decisions, calls, forwards, work, forks and joins. `packages/flow`
 * decides which effect comes next.
 */
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import {
  type Decider,
  type Flow,
  type FlowEffect,
  type FlowEnding,
  type FlowRole,
  FlowRun,
  ForkTable,
  flowRole,
  isEnding,
  type Outcome,
} from '@topo-bench/flow';
import type { RoleParts } from '../role-parts.ts';
import type { ServiceWork } from '../service/service-work.ts';
import { HopSender } from './hop-sender.ts';

type Fork = Extract<FlowEffect, { kind: 'fork' }>;

type Parts = Pick<RoleParts, 'config' | 'client' | 'links' | 'spans' | 'seen' | 'clock' | 'counters'>;

export class FlowPerformer {
  readonly role: FlowRole;
  readonly sender: HopSender;
  private readonly forks = new ForkTable();

  constructor(
    private readonly parts: Parts,
    private readonly own: {
      /** Present at an enforcement point. */
      decider?: Decider | undefined;
      /** Present at a service that executes its own steps. */
      work?: ServiceWork | undefined;
    } = {},
  ) {
    this.role = flowRole(parts.config, keyedHashing(parts.config.secrets));
    this.sender = new HopSender(parts);
  }

  /**
   * Runs a flow until its work at this role is done. Hop failures become outcomes.
   * @returns any ending except `join`
   */
  async follow(flow: Flow): Promise<FlowEnding> {
    return this.run(new FlowRun(this.role, flow));
  }

  private async run(run: FlowRun): Promise<FlowEnding> {
    const { clock, seen } = this.parts;
    seen.touch(run.flow.state);
    let effect: FlowEffect;
    try {
      effect = run.start(clock.nowUs());
      while (!isEnding(effect)) effect = await this.perform(run, effect);
    } catch (error) {
      effect = run.failed(error);
    }
    if (effect.kind === 'join') this.arrive(effect.outcome);
    return effect;
  }

  /** Joins the outcome of a branch, reported by another role or reached locally. */
  arrive(outcome: Outcome): void {
    if (!this.forks.arrive(outcome)) this.parts.counters.ignoredReports++;
  }

  private async perform(run: FlowRun, effect: Exclude<FlowEffect, FlowEnding>): Promise<FlowEffect> {
    const { flow } = run;
    const { clock } = this.parts;
    switch (effect.kind) {
      case 'decide':
        return this.decide(run, effect.service);
      case 'call':
        return run.delivered(await this.sender.callService(flow, effect), clock.nowUs());
      case 'work':
        await this.own.work?.run(flow.state.id);
        return run.worked(clock.nowUs());
      case 'forward':
        return run.forwarded(effect.crossing.to, await this.sender.forward(flow, effect.crossing));
      case 'fork':
        return run.joined(await this.fork(run, effect), clock.nowUs());
    }
  }

  private async decide(run: FlowRun, service: number): Promise<FlowEffect> {
    const { decider } = this.own;
    const { clock, spans, counters } = this.parts;
    if (!decider) throw new RangeError(`${this.role.name} decides no steps`);
    const { state, request, visited } = run.flow;
    const startUs = spans.start(state.id);
    const decision = await decider.decide(service, request, visited);
    spans.end(startUs, state.id, 'decide', this.role.graph.services[service]?.name ?? '');
    const next = run.decided(decision, clock.nowUs());
    if (run.recorded) counters.decisions[run.recorded]++;
    return next;
  }

  /** Starts all branches and waits for all of their outcomes. */
  private async fork(run: FlowRun, { branches }: Fork): Promise<Outcome[]> {
    return new Promise((resolve) => {
      const key = this.forks.begin(branches, (outcomes) => {
        clearTimeout(timer);
        resolve(outcomes);
      });
      const leftMs = (run.flow.expiresUs - this.parts.clock.nowUs()) / 1000;
      const timer = setTimeout(() => this.forks.expire(key), Math.max(0, leftMs));
      for (let i = 0; i < branches; i++) void this.branch(run.branch(i, key));
    });
  }

  private async branch(run: FlowRun): Promise<void> {
    const { state } = run.flow;
    const ending = await this.run(run);
    if (ending.kind === 'handed-over') this.forks.handedOver(state, ending.to);
  }
}
