/**
 * Performs the effects of a role over HTTP: decisions, messages, waits, answers and timers. `RoleMachine` of
 * `packages/flow` states which effect comes next and what follows from its answer.
 */
import type { Decision, LastSeen, RuleChange, RulesConfirmed, SpanPlace } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import {
  type AcceptedRequest,
  type AnswerEffect,
  type AnswerWorkEffect,
  type CallEffect,
  type DecideEffect,
  type Decider,
  type FlowMessage,
  type ForwardEffect,
  flowRole,
  type Outcome,
  type OutcomeAnswer,
  type PrepareRulesEffect,
  type ReportEffect,
  type RoleEffect,
  RoleMachine,
  type Task,
  type WorkEffect,
  type WorkMessage,
} from '@topo-bench/flow';
import { atClient } from '../control/span-recorder.ts';
import type { Call } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { RoleParts } from '../role-parts.ts';
import type { ServiceWork } from '../service/service-work.ts';
import { HopSender } from './hop-sender.ts';

/** Effects that do not advance a request. */
const bookkeeping: ReadonlySet<RoleEffect<Call>['kind']> = new Set(['acknowledge', 'arrive', 'timer', 'cancel']);

type Parts = Pick<RoleParts, 'config' | 'counters' | 'client' | 'waits' | 'spans' | 'clock' | 'faults'>;

/** Present according to the kind of role. */
export interface OwnParts {
  /** At an enforcement point. */
  decider?: Decider | undefined;
  /** At a service. */
  work?: ServiceWork | undefined;
  /** At the gateway. */
  clients?: ClientEnd;
}

/** The side of the gateway that faces clients and, for lost flows, the control routes of all roles. */
export interface ClientEnd {
  respond(effect: Extract<RoleEffect<Call>, { kind: 'respond' | 'refuse-duplicate' }>): void;
  lastSeen(id: string, withinUs: number): Promise<ReadonlyMap<string, LastSeen>>;
}

export class RolePerformer {
  readonly machine: RoleMachine<Call>;
  /** Called when other rules are in force. */
  onRulesChanged: () => void = () => undefined;
  private readonly sender: HopSender;
  /** Placeholder with the size of a real service's answer. */
  private readonly answer: string;
  /** The traced message that the machine has just been given, until its first effect. */
  private received: { id: string; startUs: number | undefined; place: SpanPlace } | undefined;

  constructor(
    private readonly parts: Parts,
    private readonly own: OwnParts = {},
  ) {
    const { config, counters } = parts;
    const role = flowRole(config, keyedHashing(config.secrets));
    this.machine = new RoleMachine<Call>(role, counters, (effect) => this.perform(effect));
    this.sender = new HopSender(parts, (task) => this.placeOf(task));
    this.answer = 'x'.repeat(config.graph.services[config.responsibleFor[0] ?? -1]?.responseBytes ?? 0);
  }

  /** A request of a client of the gateway. @returns whether its flow begins */
  takeRequest(call: Call, accepted: AcceptedRequest): boolean {
    return this.receive(accepted.id, call, atClient, () => this.machine.request(call, accepted, call.parsedAtUs));
  }

  /** A flow from another role. */
  takeFlow(call: Call): void {
    const message = call.body as FlowMessage;
    const { id } = message.state;
    this.receive(id, call, undefined, () => this.machine.flow(call, message, call.parsedAtUs));
  }

  /** The outcome of a flow or of a branch. */
  takeReport(call: Call): void {
    const outcome = call.body as Outcome;
    const { id } = outcome.state;
    this.receive(id, call, undefined, () => this.machine.report(call, outcome, call.parsedAtUs));
  }

  /** Work from an enforcement point. */
  takeWork(call: Call): void {
    const message = call.body as WorkMessage;
    this.receive(message.id, call, undefined, () => this.machine.work(call, message, call.parsedAtUs));
  }

  /** @param call of the control side; absent for rules that this role has fetched */
  takeRules(call: Call | undefined, change: RuleChange): void {
    this.machine.changeRules(call, change, this.nowUs);
  }

  /** @param place default: as its headers state */
  private receive<Result>(id: string, call: Call, place: SpanPlace | undefined, take: () => Result): Result {
    const { spans } = this.parts;
    if (!spans.traces(id)) return take();
    const startUs = spans.start(id, this.nowUs - call.parsedAtUs);
    this.received = { id, startUs, place: place ?? spans.placeOf(call.headers) };
    try {
      return take();
    } finally {
      // A report may have no effect: other branches are missing.
      this.received = undefined;
    }
  }

  private endOfParsed(): void {
    const { received, parts } = this;
    if (!received) return;
    this.received = undefined;
    parts.spans.end(received.startUs, received.id, 'parsed', parts.config.name, received.place);
  }

  /** The handling of a message that a task belongs to. */
  private placeOf(task: Task<Call>): SpanPlace {
    const { spans, config } = this.parts;
    const { headers } = 'run' in task ? task.cause : task.reply;
    // Clients of the gateway have no such header to send.
    return config.kind === 'gateway' ? atClient : spans.placeOf(headers);
  }

  private perform(effect: RoleEffect<Call>): void {
    const { machine, own } = this;
    if (this.received && !bookkeeping.has(effect.kind)) this.endOfParsed();
    switch (effect.kind) {
      case 'acknowledge':
        effect.reply.answer(202, '');
        break;
      case 'decide':
        this.decide(effect);
        break;
      case 'work':
        this.work(effect);
        break;
      case 'call':
        this.call(effect);
        break;
      case 'forward':
        this.forward(effect);
        break;
      case 'report':
        this.report(effect);
        break;
      case 'answer':
        void this.answerFlow(effect);
        break;
      case 'answer-work':
        void this.answerWork(effect);
        break;
      case 'respond':
      case 'refuse-duplicate':
        own.clients?.respond(effect);
        break;
      case 'search': {
        const { request, withinUs } = effect;
        void own.clients?.lastSeen(request.id, withinUs).then((seen) => machine.found(request, seen));
        break;
      }
      case 'timer': {
        const { timer } = effect;
        timer.handle = setTimeout(() => machine.expired(timer, this.nowUs), timer.afterUs / 1000);
        break;
      }
      case 'cancel':
        clearTimeout(effect.timer.handle as NodeJS.Timeout);
        break;
      case 'prepare-rules':
        this.prepareRules(effect);
        break;
      case 'confirm-rules':
        effect.reply.answer(200, JSON.stringify({ version: effect.version } satisfies RulesConfirmed));
        break;
      case 'refuse-rules': {
        const problem = new HttpProblem(422, 'unusable-rules', effect.message);
        effect.reply.answer(problem.status, problem.json);
        break;
      }
      case 'drop-rules':
        own.decider?.drop(effect.before);
    }
  }

  private prepareRules({ change, reply }: PrepareRulesEffect<Call>): void {
    const { machine, own } = this;
    const { version } = change;
    const refuse = (error: Error): void => machine.rulesRefused(reply, version, error.message);
    if (!own.decider) refuse(new RangeError(`${machine.role.name} decides no steps`));
    else {
      own.decider.prepare(change).then(() => {
        machine.rulesPrepared(reply, version, this.nowUs);
        this.onRulesChanged();
      }, refuse);
    }
  }

  private decide({ task, service, version }: DecideEffect<Call>): void {
    const { machine, own, parts } = this;
    const { state, request, visited } = task.run.flow;
    const startUs = parts.spans.start(state.id);
    const decided = (decision: Decision): void => {
      if (startUs !== undefined) {
        const { name = '' } = machine.role.graph.services[service] ?? {};
        parts.spans.end(startUs, state.id, 'decide', name, this.placeOf(task));
      }
      machine.decided(task, decision, this.nowUs);
    };
    const failed = (error: unknown): void => machine.failed(task, error, this.nowUs);
    let decision: Decision | Promise<Decision>;
    try {
      if (!own.decider) throw new RangeError(`${machine.role.name} decides no steps`);
      decision = own.decider.decide(service, request, visited, version);
    } catch (error) {
      failed(error);
      return;
    }
    if (decision instanceof Promise) void decision.then(decided, failed);
    else decided(decision);
  }

  private work({ task, us }: WorkEffect<Call>): void {
    void this.own.work?.run(task.id, us, () => this.placeOf(task)).then(() => this.machine.worked(task, this.nowUs));
  }

  private call(effect: CallEffect<Call>): void {
    const { machine } = this;
    const { task, crossing } = effect;
    this.sender.callService(effect).then(
      (digests) => machine.delivered(task, crossing.to, digests, this.nowUs),
      (error) => machine.failed(task, error, this.nowUs),
    );
  }

  private forward(effect: ForwardEffect<Call>): void {
    const { machine } = this;
    const { task, crossing } = effect;
    this.sender.forward(effect).then(
      (outcome) => machine.forwarded(task, crossing.to, outcome, this.nowUs),
      (error) => machine.failed(task, error, this.nowUs),
    );
  }

  private report(effect: ReportEffect<Call>): void {
    const { machine } = this;
    this.sender.report(effect).then(
      () => machine.reported(effect.task),
      (error) => machine.failed(effect.task, error, this.nowUs),
    );
  }

  private async answerFlow({ task, outcome, delayUs }: AnswerEffect<Call>): Promise<void> {
    const waitUs = delayUs + this.parts.faults.delayUs;
    if (waitUs > 0) await this.crossBack(task, waitUs);
    const call = task.reply as Call;
    const ownUs = this.parts.spans.traces(task.id) ? { ownUs: this.nowUs - call.parsedAtUs } : {};
    call.answer(200, JSON.stringify({ ...outcome, ...ownUs } satisfies OutcomeAnswer));
    this.machine.answered(task);
  }

  private async answerWork({ task, delayUs }: AnswerWorkEffect<Call>): Promise<void> {
    const waitUs = delayUs + this.parts.faults.delayUs;
    if (waitUs > 0) await this.crossBack(task, waitUs);
    const { id, reply, delivered } = task;
    const ownUs = this.parts.spans.traces(id) ? `"ownUs":${this.nowUs - reply.parsedAtUs},` : '';
    reply.answer(200, `{"delivered":${JSON.stringify(delivered)},${ownUs}"answer":"${this.answer}"}`);
    this.machine.answered(task);
  }

  private async crossBack(task: Task<Call>, delayUs: number): Promise<void> {
    const { spans, waits, config } = this.parts;
    const startUs = spans.start(task.id);
    await waits.sleep(delayUs);
    if (startUs !== undefined) spans.end(startUs, task.id, 'link', config.name, this.placeOf(task));
  }

  private get nowUs(): number {
    return this.parts.clock.nowUs();
  }
}
