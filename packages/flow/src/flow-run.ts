/**
 * Follows the flow program from the position of a message to the end of this role's part. Gateway, central entity,
 * router, sidecar and (under `none`) service all run this machine. It performs no I/O: every method takes the answer to
 * the last effect and returns the next one. HTTP and a simulated calendar drive the same code.
 */
import type { Decision, DeliveredDigests, DeploymentGraph, GraphService, RequestFacts } from '@topo-bench/core';
import type { Effect } from '@topo-bench/core/schema/rules';
import { flowEnd } from '@topo-bench/topology';
import { noteDelivery } from './deliveries.ts';
import type { Crossing, FlowEffect, FlowEnding } from './effects.ts';
import { addExposure, placeCopy, type Withheld } from './exposure.ts';
import type { Flow } from './flow.ts';
import type { FlowRole } from './flow-role.ts';
import { HopFailure } from './hop-failure.ts';
import { mergeBranches } from './merge-branches.ts';
import { type Detour, type Outcome, stepCode, undecidedRule } from './messages.ts';
import { type Redaction, redactPayload } from './redact-payload.ts';
import { pointOf } from './replica-choice.ts';

type Instruction = DeploymentGraph['flow']['instructions'][number];

export class FlowRun {
  /** Service (index) of the current step. */
  private service = -1;
  private askedUs = 0;
  /** The rule set that decides the current step: its number in the deployment. */
  version = 0;
  /** Whether it waits for the decision of a step. */
  private isDeciding = false;
  private decision: Effect | undefined;
  /** Copy for the service of the step; undefined: the original. */
  private redacted: RequestFacts | undefined;
  /** The flow is on its way to a process of that point, or to one that takes over. */
  private forwarding: { point: string; receivers: readonly string[]; at: number; crossing: Crossing } | undefined;

  /** @param isBranch whether it is a branch that starts here, of a fork of this role */
  constructor(
    private readonly role: FlowRole,
    readonly flow: Flow,
    private readonly isBranch = false,
  ) {}

  /** @param nowUs on the clock of `flow.expiresUs`, here and in all methods */
  start(nowUs: number): FlowEffect {
    return this.next(nowUs);
  }

  /** The decision as recorded in the steps, after `decided`; undefined when it came too late to be recorded. */
  get recorded(): Effect | undefined {
    return this.decision;
  }

  /** Records the decision, and sends the service its permitted copy. */
  decided(decision: Decision, nowUs: number): FlowEffect {
    const { role, flow, service: index } = this;
    this.decision = undefined;
    this.isDeciding = false;
    if (nowUs - this.askedUs > role.deadlines.hopUs) {
      if (role.failOpen) return this.pass();
      return this.failed(new HopFailure('deadline', role.name, `${role.name} decided past its deadline`));
    }
    const { state } = flow;
    const { detour } = state;
    // One reroute per step: a second one is a denial by the rule that requested it.
    const effect = decision.effect === 'reroute' && detour ? 'deny' : decision.effect;
    const service = this.serviceAt(index);
    this.decision = effect;
    state.steps.push(index, this.stepCode(effect), decision.ruleIndex);
    if (effect === 'deny' || effect === 'reroute') {
      this.expose(service, 'everything');
      if (effect === 'deny') return this.refused(decision.ruleIndex);
      state.detour = {
        service: this.alternative(decision.to),
        remove: decision.remove,
        pseudonymise: decision.pseudonymise,
      };
      // The alternative replaces the step: the flow stays at its instruction.
      state.done++;
      return this.next(nowUs);
    }
    return this.give(service, unite(decision, detour));
  }

  /**
   * @param digests returned by the service. A user-supplied service returns none; the digests of the sent data are
   * used.
   */
  delivered(digests: DeliveredDigests | undefined, nowUs: number): FlowEffect {
    const { payload } = this.redacted ?? this.flow.request;
    return this.stepDone(digests ?? this.role.hashing.digests(payload), nowUs);
  }

  worked(nowUs: number): FlowEffect {
    return this.stepDone(this.role.hashing.digests(this.flow.request.payload), nowUs);
  }

  /**
   * @param outcome nested style: the end of the flow. Forward style: undefined, since `to` has acknowledged and will
   * report.
   */
  forwarded(to: string, outcome: Outcome | undefined): FlowEnding {
    return outcome ? this.end(outcome) : { kind: 'handed-over', to };
  }

  /**
   * Whether the flow, which its receiver has not got, goes to another process at once: with takeover, until each has
   * been tried.
   */
  get hasOtherReceiver(): boolean {
    const { forwarding, role } = this;
    return role.graph.takeover !== undefined && !!forwarding && forwarding.at + 1 < forwarding.receivers.length;
  }

  /**
   * Forwards the flow again, to the next process in turn. The way to the one that has not got it does not count.
   * This role continues the flow itself where it is the one that takes over.
   */
  forwardAgain(nowUs: number): FlowEffect {
    const { point, receivers, at, crossing } = this.forwarding as NonNullable<typeof this.forwarding>;
    const { state } = this.flow;
    state.hops--;
    if (crossing.node !== this.role.node) state.hopsBetweenNodes--;
    return this.forward(point, receivers, (at + 1) % receivers.length, nowUs);
  }

  /** The run of a branch. @param key of the fork in this role's `ForkTable` */
  branch(index: number, key: number): FlowRun {
    const { state } = this.flow;
    const { branches } = this.instruction(state.at) as Extract<Instruction, { kind: 'fork' }>;
    return new FlowRun(this.role, this.flow.fork(branches[index] as number, this.role.name, key, index), true);
  }

  /** @param outcomes of all branches, in file order */
  joined(outcomes: readonly Outcome[], nowUs: number): FlowEffect {
    const { state } = this.flow;
    const shared = state.steps.length;
    const verdict = mergeBranches(state, outcomes);
    this.flow.visitSince(shared);
    if (verdict.kind !== 'completed') return this.end({ state, verdict });
    state.at = this.instruction(state.at).next;
    return this.next(nowUs);
  }

  /** A step cannot be decided, or a hop failed: the step passes where that is allowed, or the flow ends. */
  undecidedOrFailed(error: unknown): FlowEffect {
    return this.isDeciding && this.role.failOpen ? this.pass() : this.failed(error);
  }

  /** A hop failed or timed out, or the performer failed: the flow ends here with an error. */
  failed(error: unknown): FlowEnding {
    this.isDeciding = false;
    const failure = error instanceof HopFailure ? error : new HopFailure('internal', this.role.name, describe(error));
    return this.end({
      state: this.flow.state,
      verdict: { kind: 'error', error: failure.error, message: failure.message },
    });
  }

  private next(nowUs: number): FlowEffect {
    const { role, flow } = this;
    const { state, expiresUs } = flow;
    this.forwarding = undefined;
    if (state.at === flowEnd) return this.end({ state, verdict: { kind: 'completed' } });
    if (nowUs >= expiresUs)
      return this.failed(new HopFailure('deadline', role.name, 'the request ran out of time here'));
    const instruction = this.instruction(state.at);
    const owner = this.ownerOf(instruction);
    if (owner !== role.point && owner !== state.takenOver)
      return this.forward(owner, role.receiversOf(owner, state), 0, nowUs);
    if (instruction.kind === 'fork') return { kind: 'fork', branches: instruction.branches.length };
    const service = state.detour?.service ?? instruction.service;
    this.service = service;
    this.redacted = undefined;
    if (role.steps === 'work') return { kind: 'work', service };
    if (role.steps === 'call') return this.call(service);
    this.askedUs = nowUs;
    this.isDeciding = true;
    return { kind: 'decide', service };
  }

  private forward(point: string, receivers: readonly string[], at: number, nowUs: number): FlowEffect {
    const { role, flow } = this;
    const to = receivers[at] as string;
    const receiver = pointOf(role.graph, to);
    if (receiver === point) delete flow.state.takenOver;
    else flow.state.takenOver = point;
    if (receiver === role.point) return this.next(nowUs);
    const crossing = this.cross(to);
    this.forwarding = { point, receivers, at, crossing };
    return { kind: 'forward', crossing };
  }

  /** The enforcement point of an instruction. The role that has the data at a fork starts the branches. */
  private ownerOf(instruction: Instruction): string {
    const { everythingTo, point } = this.role;
    if (everythingTo !== undefined) return everythingTo;
    if (instruction.kind === 'fork') return point;
    return this.serviceAt(this.flow.state.detour?.service ?? instruction.service).executor;
  }

  /** Passes a step without a decision. */
  private pass(): FlowEffect {
    const { state } = this.flow;
    this.isDeciding = false;
    state.steps.push(this.service, this.stepCode('allow'), undecidedRule);
    return this.give(this.serviceAt(this.service), unite({ remove: [], pseudonymise: [] }, state.detour));
  }

  /** Sends the service its copy; the flow keeps the original. */
  private give(service: GraphService, redaction: Redaction): FlowEffect {
    const { role, flow, service: index } = this;
    const { state, request } = flow;
    const withheld = [...redaction.remove, ...redaction.pseudonymise];
    if (withheld.length > 0) {
      this.expose(service, withheld);
      this.redacted = { ...request, payload: redactPayload(request.payload, redaction, role.hashing.pseudonym) };
    }
    placeCopy(state.placed, service.node, withheld);
    flow.visit(index);
    return this.call(index);
  }

  private stepCode(effect: Effect): number {
    return stepCode(effect, this.version, this.serviceAt(this.service).executor !== this.role.point);
  }

  private call(service: number): FlowEffect {
    return { kind: 'call', service, crossing: this.cross(this.serviceAt(service).name), redacted: this.redacted };
  }

  private stepDone(digests: DeliveredDigests, nowUs: number): FlowEffect {
    const { state } = this.flow;
    noteDelivery(state.delivered, this.service, digests);
    // After a detour the flow resumes after the replaced step.
    delete state.detour;
    state.done++;
    state.at = this.instruction(state.at).next;
    return this.next(nowUs);
  }

  private refused(rule: number): FlowEnding {
    const { state } = this.flow;
    delete state.detour;
    state.done++;
    const verdict = { kind: 'refused' as const, service: this.service, rule };
    return this.end({ state, verdict: this.version > 0 ? { ...verdict, version: this.version } : verdict });
  }

  private end(outcome: Outcome): FlowEnding {
    const { role, flow, isBranch } = this;
    if (isBranch) return { kind: 'join', outcome };
    if (role.kind === 'gateway' || role.style === 'nested') return { kind: 'answer', outcome, back: flow.sender };
    const { replyTo } = outcome.state;
    // A forwarded branch can return to the role of its fork.
    if (replyTo === role.name) return { kind: 'join', outcome };
    return { kind: 'report', outcome, crossing: this.cross(replyTo) };
  }

  private cross(to: string): Crossing {
    const { role, flow } = this;
    const { node } = role.peers[to] ?? role;
    const hop = ++flow.state.hops;
    if (node !== role.node) flow.state.hopsBetweenNodes++;
    return { to, node, hop };
  }

  private expose({ node }: GraphService, withheld: Withheld): void {
    const { state, request, fieldCategories } = this.flow;
    if (!state.reached.includes(node)) return;
    addExposure(state.exposureBytes, request.payload, fieldCategories, withheld, state.placed[node] ?? []);
  }

  private alternative(name: string | undefined): number {
    const index = this.role.graph.services.findIndex((service) => service.name === name);
    if (index >= 0) return index;
    throw new HopFailure('internal', this.role.name, `a rule reroutes to ${name}, which is no service`);
  }

  private serviceAt(index: number): GraphService {
    const service = this.role.graph.services[index];
    if (service) return service;
    throw new RangeError(`the flow leads to a service that does not exist: ${index}`);
  }

  private instruction(at: number): Instruction {
    const instruction = this.role.graph.flow.instructions[at];
    if (instruction) return instruction;
    throw new RangeError(`the flow program has no instruction ${at}`);
  }
}

/** The redactions of the step's own decision, and those of its first target before a reroute. */
function unite(own: Redaction, detour: Detour | undefined): Redaction {
  if (!detour) return own;
  const remove = [...new Set([...own.remove, ...detour.remove])];
  const pseudonymise = [...new Set([...own.pseudonymise, ...detour.pseudonymise])];
  return { remove, pseudonymise: pseudonymise.filter((pointer) => !remove.includes(pointer)) };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
