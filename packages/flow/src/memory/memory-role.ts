/**
 * A role in memory: performs the effects of its machine on a calendar. Messages travel as the JSON of the wire. Time
 * passes by link delays and work alone: connections are free, and every process has a processor of its own.
 */
import type { Decision, DeliveredDigests, GraphService, LastSeen } from '@topo-bench/core';
import type { Decider } from '../decider.ts';
import type { FlowRole } from '../flow-role.ts';
import { type GatewayAnswer, gatewayAnswer } from '../gateway-answer.ts';
import { deadlinePassed, HopFailure } from '../hop-failure.ts';
import { HopTimes } from '../hop-times.ts';
import type { FlowCounts } from '../machine/flow-counts.ts';
import type { CallEffect, ForwardEffect, ReportEffect, RoleEffect } from '../machine/role-effect.ts';
import { RoleMachine } from '../machine/role-machine.ts';
import type { Outcome } from '../messages.ts';
import type { Calendar, CalendarEvent } from './calendar.ts';

/** The end of a message at its sender. Each is called at most once. */
export interface MemoryReply {
  acknowledge?(): void;
  /** Nested style: the outcome of a forwarded flow. */
  outcome?(outcome: Outcome): void;
  /** Digests of the payload that a service received. */
  delivered?(digests: DeliveredDigests): void;
  /** Rules of this version are in force; undefined when they were refused. */
  confirmed?(version: number | undefined): void;
  /** At the gateway; `duplicate` for an id that is in flight. */
  respond?(answer: GatewayAnswer | 'duplicate'): void;
}

/** The other roles of the deployment, as one of them reaches them. */
export interface Surroundings {
  calendar: Calendar;
  /** Undefined for a role that cannot be reached. */
  reach(name: string): RoleMachine<MemoryReply> | 'silent' | undefined;
  /** What all others have seen of a request, by role. */
  lastSeen(id: string, asking: string): Map<string, LastSeen>;
  /** Called with each effect before it is performed. */
  onEffect(effect: RoleEffect<MemoryReply>, role: FlowRole): void;
}

type Sending = CallEffect<MemoryReply> | ForwardEffect<MemoryReply> | ReportEffect<MemoryReply>;

export class MemoryRole {
  readonly counts: FlowCounts = {
    ...{ served: 0, inFlight: 0, ignoredReports: 0 },
    decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 },
  };
  readonly machine: RoleMachine<MemoryReply>;
  private readonly times: HopTimes;

  constructor(
    role: FlowRole,
    private readonly decider: Decider | undefined,
    private readonly around: Surroundings,
  ) {
    this.times = new HopTimes(role);
    this.machine = new RoleMachine<MemoryReply>(role, this.counts, (effect) => {
      around.onEffect(effect, role);
      this.perform(effect);
    });
  }

  private perform(effect: RoleEffect<MemoryReply>): void {
    const { machine, around } = this;
    const { calendar } = around;
    switch (effect.kind) {
      case 'acknowledge':
        effect.reply.acknowledge?.();
        break;
      case 'decide':
        this.decide(effect);
        break;
      case 'work':
        calendar.after(effect.us, () => machine.worked(effect.task, calendar.nowUs));
        break;
      case 'call':
      case 'forward':
      case 'report':
        calendar.after(effect.delayUs, () => this.send(effect));
        break;
      case 'answer':
        calendar.after(effect.delayUs, () => {
          effect.task.reply?.outcome?.(copy(effect.outcome));
          machine.answered(effect.task);
        });
        break;
      case 'answer-work':
        calendar.after(effect.delayUs, () => {
          effect.task.reply.delivered?.(copy(effect.task.delivered));
          machine.answered(effect.task);
        });
        break;
      case 'respond': {
        const { reply, outcome, rttUs, pastDeadline, ruleIds } = effect;
        const { state, verdict } = outcome;
        reply.respond?.(gatewayAnswer(machine.role.graph, state, verdict, rttUs, pastDeadline, ruleIds));
        break;
      }
      case 'refuse-duplicate':
        effect.reply.respond?.('duplicate');
        break;
      case 'search':
        calendar.after(0, () => {
          machine.found(effect.request, around.lastSeen(effect.request.id, machine.role.name));
        });
        break;
      case 'timer': {
        const { timer } = effect;
        timer.handle = calendar.after(timer.afterUs, () => machine.expired(timer, calendar.nowUs));
        break;
      }
      case 'prepare-rules':
        this.prepareRules(effect);
        break;
      case 'confirm-rules':
        effect.reply.confirmed?.(effect.version);
        break;
      case 'refuse-rules':
        effect.reply.confirmed?.(undefined);
        break;
      case 'drop-rules':
        this.decider?.drop(effect.before);
        break;
      case 'cancel':
        (effect.timer.handle as CalendarEvent).cancelled = true;
    }
  }

  /** Takes no time of the calendar. */
  private prepareRules({ change, reply }: Extract<RoleEffect<MemoryReply>, { kind: 'prepare-rules' }>): void {
    const { machine, decider } = this;
    const { calendar } = this.around;
    const { version } = change;
    const prepared =
      decider?.prepare(change) ?? Promise.reject(new RangeError(`${machine.role.name} decides no steps`));
    calendar.hold(
      prepared.then(
        () => machine.rulesPrepared(reply, version, calendar.nowUs),
        (error: Error) => machine.rulesRefused(reply, version, error.message),
      ),
    );
  }

  private decide({ task, service, version }: Extract<RoleEffect<MemoryReply>, { kind: 'decide' }>): void {
    const { machine, decider } = this;
    const { calendar } = this.around;
    const { request, visited } = task.run.flow;
    const decided = (decision: Decision): void => machine.decided(task, decision, calendar.nowUs);
    const failed = (error: unknown): void => machine.failed(task, error, calendar.nowUs);
    let decision: Decision | Promise<Decision>;
    try {
      if (!decider) throw new RangeError(`${machine.role.name} decides no steps`);
      decision = decider.decide(service, request, visited, version);
    } catch (error) {
      failed(error);
      return;
    }
    if (decision instanceof Promise) calendar.hold(decision.then(decided, failed));
    else decided(decision);
  }

  private send(effect: Sending): void {
    const { machine, times } = this;
    const { calendar, reach } = this.around;
    const { task } = effect;
    const { flow } = task.run;
    const { to } = effect.crossing;
    const withinUs = times.withinUs(flow, calendar.nowUs);
    const failed = (error: HopFailure): void => machine.failed(task, error, calendar.nowUs);
    if (withinUs <= 0) {
      failed(deadlinePassed(to, withinUs));
      return;
    }
    const peer = reach(to);
    if (!peer) {
      failed(new HopFailure('unreachable', to, `${to} is not reachable: it is down`));
      return;
    }
    const timeout = calendar.after(withinUs, () => {
      timeout.cancelled = true;
      failed(deadlinePassed(to, withinUs));
    });
    /** An answer after the deadline is ignored. */
    const inTime = (use: () => void): void => {
      if (timeout.cancelled) return;
      timeout.cancelled = true;
      use();
    };
    this.deliver(effect, peer, inTime);
  }

  private deliver(effect: Sending, peer: RoleMachine<MemoryReply> | 'silent', inTime: (use: () => void) => void): void {
    const { machine, times } = this;
    const { calendar } = this.around;
    const { task } = effect;
    const { flow } = task.run;
    const { node, graph, style } = machine.role;
    const { to, hop } = effect.crossing;
    switch (effect.kind) {
      case 'call': {
        const delivered = (digests: DeliveredDigests | undefined): void =>
          inTime(() => machine.delivered(task, to, digests, calendar.nowUs));
        const { userPath } = graph.services[effect.service] as GraphService;
        // A user-supplied service takes no time here, and its caller waits for the link back.
        if (userPath !== undefined) calendar.after(effect.delayUs, () => delivered(undefined));
        else if (peer !== 'silent')
          peer.work({ delivered }, copy(flow.workText(node, hop, effect.redacted)), calendar.nowUs);
        break;
      }
      case 'forward': {
        const acknowledge = (): void => inTime(() => machine.forwarded(task, to, undefined, calendar.nowUs));
        const outcome = (end: Outcome): void => inTime(() => machine.forwarded(task, to, end, calendar.nowUs));
        const text = flow.messageText(node, times.leftUs(flow, calendar.nowUs));
        if (peer !== 'silent') peer.flow({ acknowledge, outcome }, copy(text), calendar.nowUs);
        else if (style === 'forward') acknowledge();
        break;
      }
      case 'report': {
        const acknowledge = (): void => inTime(() => machine.reported(task));
        if (peer === 'silent') acknowledge();
        else peer.report({ acknowledge }, copy(effect.outcome), calendar.nowUs);
      }
    }
  }
}

/** As it arrives: read from its text. */
function copy<T>(value: unknown): T {
  return JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) as T;
}
