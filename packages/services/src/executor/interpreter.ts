/**
 * Follows the flow program from wherever a message stands to wherever this role's part ends. Central entity, router, sidecar,
 * gateway and (under `none`) service all run this code; they differ in whose steps are theirs and in what a step does.
 */
import type { GraphInstruction } from '@topo-bench/core/deployment-graph';
import type { Flow, Outcome, Verdict } from '@topo-bench/flow';
import { HopFailure, mergeBranches } from '@topo-bench/flow';
import { flowEnd } from '@topo-bench/topology/graph';
import type { LastSeenRing } from '../control/last-seen.ts';
import type { FullConfig } from '../full-config.ts';
import type { Courier } from './courier.ts';
import { Joins } from './joins.ts';
import type { StepRunner } from './steps.ts';

type Fork = Extract<GraphInstruction, { kind: 'fork' }>;

export class Interpreter {
  readonly joins = new Joins();

  /**
   * @param runStep does the steps of this role; a role without any (the gateway) never gets to it
   * @param everythingTo the role that gets flows whole, forks included (the gateway's way under a central entity)
   */
  constructor(
    private readonly config: Pick<FullConfig, 'name' | 'style' | 'graph'>,
    private readonly courier: Pick<Courier, 'handOver' | 'ask'>,
    private readonly seen: Pick<LastSeenRing, 'touch'>,
    private readonly runStep: StepRunner,
    private readonly everythingTo?: string,
  ) {}

  /**
   * Runs the flow as far as it goes here. Failures of hops become outcomes: it does not throw them.
   * @returns how the flow ended; undefined when another role has taken it over (forward style) and will report
   */
  async run(flow: Flow): Promise<Outcome | undefined> {
    try {
      return await this.follow(flow);
    } catch (error) {
      const failure = error instanceof HopFailure ? error : new HopFailure('internal', this.config.name, describe(error));
      return { state: flow.state, verdict: { kind: 'error', error: failure.error, message: failure.message } };
    }
  }

  private async follow(flow: Flow): Promise<Outcome | undefined> {
    const { state } = flow;
    this.seen.touch(state);
    while (state.at !== flowEnd) {
      if (Date.now() >= state.expiresMs) throw new HopFailure('deadline', this.config.name, 'the request ran out of time here');
      const next = this.ownerOfNext(flow);
      if (next !== this.config.name) return await this.pass(flow, next);
      const instruction = this.instruction(state.at);
      const verdict = instruction.kind === 'fork' ? await this.fork(flow, instruction) : await this.step(flow);
      if (verdict) return { state, verdict };
      if (!state.detour) state.at = instruction.next;
    }
    return { state, verdict: { kind: 'completed' } };
  }

  /** Whoever holds the data at a fork starts the branches. */
  private ownerOfNext({ state }: Flow): string {
    if (this.everythingTo) return this.everythingTo;
    const instruction = this.instruction(state.at);
    if (instruction.kind === 'fork') return this.config.name;
    const service = this.config.graph.services[state.detour?.service ?? instruction.service];
    if (!service) throw new RangeError(`the flow leads to a service that does not exist, at instruction ${state.at}`);
    return service.executor;
  }

  private async pass(flow: Flow, hop: string): Promise<Outcome | undefined> {
    if (this.config.style === 'nested') return this.courier.ask(flow, hop);
    await this.courier.handOver(flow, hop);
    return undefined;
  }

  /** Runs the step here, or the alternative's in its place. @returns a verdict only when the flow ends with it */
  private async step(flow: Flow): Promise<Verdict | undefined> {
    const { state } = flow;
    const instruction = this.instruction(state.at) as Extract<GraphInstruction, { kind: 'step' }>;
    const { detour } = state;
    const verdict = await this.runStep(flow, detour?.service ?? instruction.service);
    // A detour that the step has set leads on to the alternative; one that it came by is over.
    if (detour) delete state.detour;
    state.done++;
    return verdict;
  }

  /** Starts every branch, waits for all of them whatever becomes of each, and merges them. */
  private async fork(flow: Flow, { branches }: Fork): Promise<Verdict | undefined> {
    const join = this.joins.begin();
    try {
      const outcomes = await Promise.all(
        branches.map(async (start, branch) => {
          const own = flow.fork(start, this.config.name, join, branch);
          return (await this.run(own)) ?? this.joins.outcomeOf(own.state, this.ownerOfNext(own));
        }),
      );
      const shared = flow.state.steps.length;
      const verdict = mergeBranches(flow.state, outcomes);
      flow.visitSince(shared);
      return verdict.kind === 'completed' ? undefined : verdict;
    } finally {
      this.joins.close(join);
    }
  }

  private instruction(at: number): GraphInstruction {
    const instruction = this.config.graph.flow.instructions[at];
    if (!instruction) throw new RangeError(`the flow program has no instruction ${at}`);
    return instruction;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
