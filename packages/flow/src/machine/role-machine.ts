/**
 * A role of a deployment as a machine: it takes messages, answers and expired timers, and requests effects. Gateway,
 * enforcement points and services are this machine; HTTP and a calendar perform it. It states when a message is
 * acknowledged, what answers it, what is refused, which hop a lost flow is blamed on, and what a role counts.
 */
import type { Decision, DeliveredDigests, GraphService, LastSeen, RuleChange } from '@topo-bench/core';
import { linkDelayUs, serviceTimeUs } from '@topo-bench/workload';
import type { Crossing, FlowEffect } from '../effects.ts';
import { receiveFlow, type Sender } from '../flow.ts';
import type { FlowRole } from '../flow-role.ts';
import { FlowRun } from '../flow-run.ts';
import { ForkTable } from '../fork-table.ts';
import { type AcceptedRequest, beginFlow } from '../gateway-flow.ts';
import { HopFailure } from '../hop-failure.ts';
import type { FlowMessage, FlowState, Outcome, WorkMessage } from '../messages.ts';
import { Breakers } from './breakers.ts';
import type { FlowCounts } from './flow-counts.ts';
import { LastSeenRing } from './last-seen.ts';
import { OpenRequests } from './open-requests.ts';
import { Retries, WorkOnce } from './retries.ts';
import type { AnyTimer, CallEffect, ForkTimer, ForwardEffect, OpenRequest, RoleEffect } from './role-effect.ts';
import { RuleVersions } from './rule-versions.ts';
import { FlowTask, type Task, WorkTask } from './task.ts';

export class RoleMachine<Reply> {
  readonly seen = new LastSeenRing();
  private readonly forks = new ForkTable();
  private readonly requests: OpenRequests<Reply>;
  /** Whether it is a service that each request visits once. Alternatives may be visited several times. */
  private readonly isStep: boolean;
  private readonly rules: RuleVersions<Reply>;
  private readonly retries: Retries<Reply>;
  private readonly breakers: Breakers<Reply>;
  /** Present where messages may come again. */
  private readonly once: WorkOnce | undefined;
  /** Time of the input that is being handled. */
  private nowUs = 0;

  /**
   * @param perform called with each effect, in order. It may call the machine at once or later, and must not throw.
   */
  constructor(
    readonly role: FlowRole,
    private readonly counts: FlowCounts,
    private readonly perform: (effect: RoleEffect<Reply>) => void,
  ) {
    this.rules = new RuleVersions(role, perform);
    this.retries = new Retries(role, perform);
    this.breakers = new Breakers(role);
    this.once = role.retries && new WorkOnce();
    this.requests = new OpenRequests(role, counts, this.seen, this.rules.ruleIds, perform);
    const own = role.kind === 'service' ? role.responsibleFor[0] : undefined;
    this.isStep = role.graph.flow.instructions.some((step) => step.kind === 'step' && step.service === own);
  }

  /** Requests that wait for their outcome, at the gateway. */
  get openRequests(): number {
    return this.requests.size;
  }

  /** Forks that wait for branches. */
  get openForks(): number {
    return this.forks.size;
  }

  /**
   * A request of a client reaches the gateway.
   * @param nowUs on the clock of this role, here and in all methods; of a message the time at which it was parsed
   * @returns whether its flow begins: its id is not in flight, and the gateway is below its cap
   */
  request(reply: Reply, accepted: AcceptedRequest, nowUs: number): boolean {
    this.nowUs = nowUs;
    const { role } = this;
    if (!this.requests.admit(reply, accepted.id, nowUs)) return false;
    this.start(
      new FlowTask<Reply>(
        new FlowRun(role, beginFlow(role, accepted, nowUs, this.rules.stamp)),
        'request',
        undefined,
        reply,
      ),
    );
    return true;
  }

  /** Another role forwards a flow. In forward style it is acknowledged before any decision is made. */
  flow(reply: Reply, message: FlowMessage, nowUs: number): void {
    this.nowUs = nowUs;
    const { role } = this;
    const run = new FlowRun(role, receiveFlow(message, role, nowUs));
    this.counts.inFlight++;
    if (role.style === 'forward') this.perform({ kind: 'acknowledge', reply });
    this.start(new FlowTask(run, 'message', reply, reply));
  }

  /** Another role reports the outcome of a flow (at the gateway) or of a branch. */
  report(reply: Reply, outcome: Outcome, nowUs: number): void {
    this.nowUs = nowUs;
    this.perform({ kind: 'acknowledge', reply });
    if (this.role.kind === 'gateway' && outcome.state.join < 0) this.requests.finish(outcome, nowUs);
    else this.arrive(outcome);
  }

  /** An enforcement point sends work to this service. */
  work(reply: Reply, { id, from, hop, request, ...step }: WorkMessage, nowUs: number): void {
    this.nowUs = nowUs;
    const { role } = this;
    const delivered = role.hashing.digests(request.payload);
    this.counts.inFlight++;
    this.seen.touch({ id, done: 0 });
    const task = new WorkTask(id, reply, delivered, { node: from, hop }, stepOf({ id, ...step }));
    this.begin(task, task.step, role.responsibleFor[0] as number, () => this.answerWork(task));
  }

  /**
   * The control side changes the rules: `confirm-rules` or `refuse-rules` answers it.
   * @param reply absent for rules that this role has fetched
   */
  changeRules(reply: Reply | undefined, change: RuleChange, nowUs: number): void {
    this.nowUs = nowUs;
    this.rules.change(reply, change);
  }

  /** Answers `prepare-rules`: the performer decides by this version from now on, when asked to. */
  rulesPrepared(reply: Reply | undefined, version: number, nowUs: number): void {
    this.nowUs = nowUs;
    this.rules.prepared(reply, version, ({ step: { task, service } }) => {
      this.follow(task, { kind: 'decide', service });
    });
  }

  /** Answers `prepare-rules` for rules that cannot be used. */
  rulesRefused(reply: Reply | undefined, version: number, message: string): void {
    this.rules.refused(reply, version, message);
  }

  /** Number of the newest rules of an enforcement point. */
  get rulesVersion(): number {
    return this.rules.newest;
  }

  /** Answers `decide`. */
  decided(task: FlowTask<Reply>, decision: Decision, nowUs: number): void {
    this.nowUs = nowUs;
    const { run } = task;
    this.advance(task, () => {
      const next = run.decided(decision, nowUs);
      if (run.recorded) this.counts.decisions[run.recorded]++;
      return next;
    });
  }

  /** Answers `call`. @param digests as in `FlowRun.delivered` */
  delivered(task: FlowTask<Reply>, by: string, digests: DeliveredDigests | undefined, nowUs: number): void {
    this.nowUs = nowUs;
    this.breakers.answered(by);
    this.seen.acknowledged(task.run.flow.state, by);
    this.advance(task, () => task.run.delivered(digests, nowUs));
  }

  /** Answers `work`. */
  worked(task: Task<Reply>, nowUs: number): void {
    this.nowUs = nowUs;
    if (task instanceof WorkTask) {
      this.answerWork(task);
      this.once?.end(task.step);
    } else {
      const step = stepOf(task.run.flow.state);
      this.advance(task, () => task.run.worked(nowUs));
      this.once?.end(step);
    }
  }

  /** Answers `forward`. @param outcome as in `FlowRun.forwarded` */
  forwarded(task: FlowTask<Reply>, to: string, outcome: Outcome | undefined, nowUs: number): void {
    this.nowUs = nowUs;
    this.breakers.answered(to);
    this.seen.acknowledged(task.run.flow.state, to);
    this.advance(task, () => task.run.forwarded(to, outcome));
  }

  /** A hop failed or timed out, or the performer failed. A lost report ends at the deadline of the role that waits. */
  failed(task: FlowTask<Reply>, error: unknown, nowUs: number): void {
    this.nowUs = nowUs;
    const { run } = task;
    if (task.reporting) {
      this.ended(task);
      return;
    }
    this.breakers.failed(task, error, nowUs);
    const isUnsent = error instanceof HopFailure && error.isUnreachable && !error.isSent;
    if (isUnsent && run.hasOtherReceiver) this.advance(task, () => run.forwardAgain(nowUs));
    else if (!this.retries.again(task, error, nowUs)) this.advance(task, () => run.undecidedOrFailed(error));
  }

  /** Answers `report`. */
  reported(task: FlowTask<Reply>): void {
    this.ended(task);
  }

  /** Answers `answer` and `answer-work`. */
  answered(task: Task<Reply>): void {
    this.ended(task);
  }

  /** The time of a timer is over. */
  expired(timer: AnyTimer<Reply>, nowUs: number): void {
    this.nowUs = nowUs;
    if ('fork' in timer) this.forks.expire(timer.fork);
    else if ('step' in timer) this.failed(timer.step.task, this.rules.expired(timer), nowUs);
    else if ('before' in timer) this.rules.drop(timer.before);
    else if ('again' in timer) this.sendAgain(timer.again);
    else this.requests.expired(timer, nowUs);
  }

  /** Answers `search`. @param others what other roles have seen, by role */
  found(request: OpenRequest<Reply>, others: Iterable<readonly [string, LastSeen]>): void {
    this.requests.found(request, others);
  }

  private start(task: FlowTask<Reply>): void {
    this.seen.touch(task.run.flow.state);
    this.advance(task, () => task.run.start(this.nowUs));
  }

  /** A fault of the run is an outcome, and never ends the process. */
  private advance(task: FlowTask<Reply>, step: () => FlowEffect): void {
    let next: FlowEffect;
    try {
      next = step();
    } catch (error) {
      next = task.run.failed(error);
    }
    this.follow(task, next);
  }

  private follow(task: FlowTask<Reply>, next: FlowEffect): void {
    const { perform } = this;
    switch (next.kind) {
      case 'decide': {
        const { service } = next;
        const version = this.rules.versionFor(task, service, this.nowUs);
        if (version === undefined) break;
        task.run.version = version;
        perform({ kind: 'decide', task, service, version });
        break;
      }
      case 'work':
        this.begin(task, stepOf(task.run.flow.state), next.service, () => {
          this.advance(task, () => task.run.worked(this.nowUs));
        });
        break;
      case 'call': {
        const { crossing, service, redacted } = next;
        this.send({ kind: 'call', task, crossing, delayUs: this.delayUs(crossing, task.id), service, redacted });
        break;
      }
      case 'forward': {
        const { crossing } = next;
        this.send({ kind: 'forward', task, crossing, delayUs: this.delayUs(crossing, task.id) });
        break;
      }
      case 'fork':
        this.fork(task, next.branches);
        break;
      case 'handed-over':
        if (task.origin === 'branch') this.forks.handedOver(task.run.flow.state, next.to);
        else this.ended(task);
        break;
      case 'join':
        this.ended(task);
        this.arrive(next.outcome);
        break;
      case 'report': {
        const { crossing, outcome } = next;
        task.reporting = true;
        perform({ kind: 'report', task, crossing, delayUs: this.delayUs(crossing, task.id), outcome });
        break;
      }
      case 'answer':
        this.answer(task, next.outcome, next.back);
    }
  }

  /** Sends a message, unless its receiver has stopped answering. */
  private send(effect: CallEffect<Reply> | ForwardEffect<Reply>): void {
    const refusal = this.breakers.refusal(effect, this.nowUs);
    this.retries.sends(effect, this.nowUs, refusal === undefined);
    if (refusal) this.failed(effect.task, refusal, this.nowUs);
    else this.perform(effect);
  }

  private sendAgain(effect: CallEffect<Reply> | ForwardEffect<Reply>): void {
    const { task } = effect;
    if (effect.kind === 'call') this.send(effect);
    else this.advance(task, () => task.run.forwardAgain(this.nowUs));
  }

  /** Work on a step that this role has done, or is doing, is answered with that. */
  private begin(task: Task<Reply>, step: string, service: number, answer: () => void): void {
    if (this.once && !this.once.begin(step, answer)) return;
    if (this.isStep) this.counts.works?.(task.id);
    this.perform({ kind: 'work', task, us: this.workUs(service, task.id) });
  }

  private answerWork(task: WorkTask<Reply>): void {
    this.perform({ kind: 'answer-work', task, delayUs: this.delayUs(task.back, task.id) });
  }

  /** In nested style the answer crosses the link back to the sender. */
  private answer(task: FlowTask<Reply>, outcome: Outcome, back: Sender | undefined): void {
    if (this.role.kind === 'gateway') this.requests.finish(outcome, this.nowUs);
    else this.perform({ kind: 'answer', task, outcome, delayUs: back ? this.delayUs(back, task.id) : 0 });
  }

  /** Starts all branches. The flow continues when all of their outcomes are here. */
  private fork(task: FlowTask<Reply>, branches: number): void {
    const { run } = task;
    const key = this.forks.begin(task.id, branches, (outcomes) => {
      this.perform({ kind: 'cancel', timer });
      this.advance(task, () => run.joined(outcomes, this.nowUs));
    });
    const timer: ForkTimer = {
      ...{ fork: key, handle: undefined },
      afterUs: Math.max(0, run.flow.expiresUs - this.nowUs),
    };
    this.perform({ kind: 'timer', timer });
    for (let i = 0; i < branches; i++) {
      this.start(new FlowTask<Reply>(run.branch(i, key), 'branch', undefined, task.cause));
    }
  }

  /** The outcome of a branch: reported by another role, or reached here. */
  private arrive(outcome: Outcome): void {
    this.perform({ kind: 'arrive', fork: outcome.state.join });
    if (!this.forks.arrive(outcome)) this.counts.ignoredReports++;
  }

  /** Requests end in `OpenRequests`, branches in the table of forks. */
  private ended(task: Task<Reply>): void {
    if (task instanceof FlowTask && task.origin !== 'message') return;
    this.counts.inFlight--;
    this.counts.served++;
  }

  private delayUs({ node, hop }: Pick<Crossing, 'node' | 'hop'>, requestId: string): number {
    const { graph, node: fromNode, seed } = this.role;
    const link = graph.links[fromNode]?.[node];
    return link ? linkDelayUs(link, seed, { requestId, hop, fromNode, toNode: node }) : 0;
  }

  /** A request takes the same time at the same service in every architecture. */
  private workUs(service: number, requestId: string): number {
    const { work, name } = this.role.graph.services[service] as GraphService;
    return serviceTimeUs(work, this.role.seed, requestId, name);
  }
}

/** A step of a request. A service executes an instruction of the flow program at most once for a request. */
function stepOf({ id, at, enteredUs = 0 }: Pick<FlowState, 'id' | 'at' | 'enteredUs'>): string {
  return `${at} ${enteredUs} ${id}`;
}
