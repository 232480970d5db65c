/**
 * Performs the effects of a role over HTTP: decisions, messages, waits, answers and timers. `RoleMachine` of
 * `packages/flow` states which effect comes next and what follows from its answer.
 */
import type { Decision, LastSeen } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import {
  type AnswerEffect,
  type AnswerWorkEffect,
  type CallEffect,
  type DecideEffect,
  type Decider,
  type ForwardEffect,
  flowRole,
  type OutcomeAnswer,
  type ReportEffect,
  type RoleEffect,
  RoleMachine,
  type WorkEffect,
} from '@topo-bench/flow';
import type { Call } from '../http/http-port.ts';
import type { RoleParts } from '../role-parts.ts';
import type { ServiceWork } from '../service/service-work.ts';
import { HopSender } from './hop-sender.ts';

type Parts = Pick<RoleParts, 'config' | 'counters' | 'client' | 'waits' | 'spans' | 'clock'>;

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
  private readonly sender: HopSender;
  /** Placeholder with the size of a real service's answer. */
  private readonly answer: string;

  constructor(
    private readonly parts: Parts,
    private readonly own: OwnParts = {},
  ) {
    const { config, counters } = parts;
    const role = flowRole(config, keyedHashing(config.secrets));
    this.machine = new RoleMachine<Call>(role, counters, (effect) => this.perform(effect));
    this.sender = new HopSender(parts);
    this.answer = 'x'.repeat(config.graph.services[config.responsibleFor[0] ?? -1]?.responseBytes ?? 0);
  }

  private perform(effect: RoleEffect<Call>): void {
    const { machine, own } = this;
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
    }
  }

  private decide({ task, service }: DecideEffect<Call>): void {
    const { machine, own, parts } = this;
    const { state, request, visited } = task.run.flow;
    const startUs = parts.spans.start(state.id);
    const decided = (decision: Decision): void => {
      parts.spans.end(startUs, state.id, 'decide', machine.role.graph.services[service]?.name ?? '');
      machine.decided(task, decision, this.nowUs);
    };
    const failed = (error: unknown): void => machine.failed(task, error, this.nowUs);
    let decision: Decision | Promise<Decision>;
    try {
      if (!own.decider) throw new RangeError(`${machine.role.name} decides no steps`);
      decision = own.decider.decide(service, request, visited);
    } catch (error) {
      failed(error);
      return;
    }
    if (decision instanceof Promise) void decision.then(decided, failed);
    else decided(decision);
  }

  private work({ task, us }: WorkEffect<Call>): void {
    void this.own.work?.run(task.id, us).then(() => this.machine.worked(task, this.nowUs));
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
    if (delayUs > 0) await this.crossBack(task.id, delayUs);
    const call = task.reply as Call;
    const ownUs = this.parts.spans.traces(task.id) ? { ownUs: this.nowUs - call.parsedAtUs } : {};
    call.answer(200, JSON.stringify({ ...outcome, ...ownUs } satisfies OutcomeAnswer));
    this.machine.answered(task);
  }

  private async answerWork({ task, delayUs }: AnswerWorkEffect<Call>): Promise<void> {
    if (delayUs > 0) await this.crossBack(task.id, delayUs);
    const { id, reply, delivered } = task;
    const ownUs = this.parts.spans.traces(id) ? `"ownUs":${this.nowUs - reply.parsedAtUs},` : '';
    reply.answer(200, `{"delivered":${JSON.stringify(delivered)},${ownUs}"answer":"${this.answer}"}`);
    this.machine.answered(task);
  }

  private async crossBack(id: string, delayUs: number): Promise<void> {
    const { spans, waits, config } = this.parts;
    const startUs = spans.start(id);
    await waits.sleep(delayUs);
    spans.end(startUs, id, 'link', config.name);
  }

  private get nowUs(): number {
    return this.parts.clock.nowUs();
  }
}
