/**
 * A role in memory: performs the effects of its machine on a calendar. Messages travel as the JSON of the wire. Time
 * passes by link delays and work alone: connections are free, and every process has a processor of its own.
 */
import type { Decision, DeliveredDigests, LastSeen } from '@topo-bench/core';
import type { Decider } from '../decider.ts';
import type { FlowRole } from '../flow-role.ts';
import { type GatewayAnswer, gatewayAnswer } from '../gateway-answer.ts';
import { deadlinePassed, HopFailure } from '../hop-failure.ts';
import { HopTimes } from '../hop-times.ts';
import { noCounts } from '../machine/flow-counts.ts';
import type { CallEffect, ForwardEffect, ReportEffect, RoleEffect } from '../machine/role-effect.ts';
import { RoleMachine } from '../machine/role-machine.ts';
import type { Outcome } from '../messages.ts';
import type { Calendar, CalendarEvent } from './calendar.ts';
import type { MessageFaultsInMemory } from './memory-faults.ts';

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
  reach(name: string): MemoryRole | 'silent' | undefined;
  faults: MessageFaultsInMemory;
  /** Time of a decision, and that of building changed rules. */
  decideUs: number;
  prepareUs: number;
  /** What all others have seen of a request, by role. */
  lastSeen(id: string, asking: string): Map<string, LastSeen>;
  /** Called with each effect before it is performed. */
  onEffect(effect: RoleEffect<MemoryReply>, role: FlowRole, nowUs: number): void;
}

type Sending = CallEffect<MemoryReply> | ForwardEffect<MemoryReply> | ReportEffect<MemoryReply>;

export class MemoryRole {
  readonly counts = noCounts();
  readonly machine: RoleMachine<MemoryReply>;
  private readonly times: HopTimes;
  /** Calls that wait for their answers, by peer. */
  private readonly open = new Map<string, Set<() => void>>();
  private isDown = false;
  private frozenUntilUs = 0;

  constructor(
    role: FlowRole,
    private readonly decider: Decider | undefined,
    private readonly around: Surroundings,
  ) {
    this.times = new HopTimes(role);
    this.machine = new RoleMachine<MemoryReply>(role, this.counts, (effect) => {
      around.onEffect(effect, role, around.calendar.nowUs);
      this.perform(effect);
    });
  }

  /** What it has not ended, in words; empty once all requests have ended. A role that is down has nothing. */
  get leftOpen(): string[] {
    if (this.isDown) return [];
    const { machine, counts, open } = this;
    const calls = [...open.values()].reduce((sum, { size }) => sum + size, 0);
    const left = { requests: machine.openRequests, forks: machine.openForks, tasks: counts.inFlight, calls };
    return Object.entries(left).flatMap(([what, count]) =>
      count > 0 ? [`${machine.role.name}: ${count} ${what}`] : [],
    );
  }

  /** Its state is lost: nothing that waits here happens. */
  crash(): void {
    this.isDown = true;
  }

  /** Nothing happens here until then. */
  freeze(untilUs: number): void {
    this.frozenUntilUs = untilUs;
  }

  /** Whether it answers questions. */
  get answers(): boolean {
    return !this.isDown && this.frozenUntilUs <= this.around.calendar.nowUs;
  }

  /** Connections to a peer have ended. */
  lose(peer: string): void {
    const calls = [...(this.open.get(peer) ?? [])];
    this.take(() => {
      for (const fail of calls) fail();
    });
  }

  /** Something reaches this role: now, at its thaw, or never. */
  take(happen: () => void): void {
    if (this.isDown) return;
    const leftUs = this.frozenUntilUs - this.around.calendar.nowUs;
    if (leftUs <= 0) happen();
    else this.around.calendar.after(leftUs, () => this.take(happen));
  }

  private after(us: number, happen: () => void): CalendarEvent {
    const event: CalendarEvent = this.around.calendar.after(us, () =>
      // It may be cancelled by what happens before it at a thaw.
      this.take(() => event.cancelled || happen()),
    );
    return event;
  }

  private perform(effect: RoleEffect<MemoryReply>): void {
    const { machine, around } = this;
    const { calendar } = around;
    const slowUs = around.faults.delayUs(machine.role.name, calendar.nowUs);
    switch (effect.kind) {
      case 'acknowledge':
        effect.reply.acknowledge?.();
        break;
      case 'decide':
        this.decide(effect);
        break;
      case 'work':
        this.after(effect.us, () => machine.worked(effect.task, calendar.nowUs));
        break;
      case 'call':
      case 'forward':
      case 'report':
        this.after(effect.delayUs + slowUs, () => this.send(effect));
        break;
      case 'answer':
        this.after(effect.delayUs + slowUs, () => {
          effect.task.reply?.outcome?.(copy(effect.outcome));
          machine.answered(effect.task);
        });
        break;
      case 'answer-work':
        this.after(effect.delayUs + slowUs, () => {
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
        this.after(0, () => {
          machine.found(effect.request, around.lastSeen(effect.request.id, machine.role.name));
        });
        break;
      case 'timer': {
        const { timer } = effect;
        timer.handle = this.after(timer.afterUs, () => machine.expired(timer, calendar.nowUs));
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

  private prepareRules({ change, reply }: Extract<RoleEffect<MemoryReply>, { kind: 'prepare-rules' }>): void {
    const { machine, decider } = this;
    const { calendar, prepareUs } = this.around;
    const { version } = change;
    this.after(prepareUs, () => {
      const prepared =
        decider?.prepare(change) ?? Promise.reject(new RangeError(`${machine.role.name} decides no steps`));
      calendar.hold(
        prepared.then(
          () => machine.rulesPrepared(reply, version, calendar.nowUs),
          (error: Error) => machine.rulesRefused(reply, version, error.message),
        ),
      );
    });
  }

  private decide({ task, service, version }: Extract<RoleEffect<MemoryReply>, { kind: 'decide' }>): void {
    const { machine, decider } = this;
    const { calendar, decideUs } = this.around;
    const { request, visited } = task.run.flow;
    const decided = (decision: Decision): void => {
      if (decideUs > 0) this.after(decideUs, () => machine.decided(task, decision, calendar.nowUs));
      else this.take(() => machine.decided(task, decision, calendar.nowUs));
    };
    const failed = (error: unknown): void => this.take(() => machine.failed(task, error, calendar.nowUs));
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
    const timeout = this.after(withinUs, () => ended(() => failed(deadlinePassed(to, withinUs))));
    let isEnded = false;
    /** An answer after the deadline is ignored. */
    const ended = (use: () => void): void => {
      if (isEnded) return;
      isEnded = true;
      timeout.cancelled = true;
      this.openTo(to).delete(lost);
      use();
    };
    const lost = (): void =>
      ended(() => failed(new HopFailure('unreachable', to, `${to} is not reachable: its connection ended`, true)));
    this.openTo(to).add(lost);
    const { name } = machine.role;
    const { faults } = this.around;
    if (faults.loses(name, to, calendar.nowUs)) return;
    const answered = (use: () => void): void => {
      if (!faults.loses(to, name, calendar.nowUs)) this.take(() => ended(use));
    };
    if (peer === 'silent') this.silently(effect, answered);
    else this.deliver(effect, peer, answered);
  }

  private openTo(peer: string): Set<() => void> {
    const calls = this.open.get(peer) ?? new Set();
    this.open.set(peer, calls);
    return calls;
  }

  /** A role that acknowledges all messages and does nothing more. */
  private silently(effect: Sending, answered: (use: () => void) => void): void {
    const { machine } = this;
    const { calendar } = this.around;
    const { task, crossing, kind } = effect;
    if (kind === 'report') answered(() => machine.reported(task));
    if (kind === 'forward' && machine.role.style === 'forward')
      answered(() => machine.forwarded(task, crossing.to, undefined, calendar.nowUs));
    if (kind === 'call') this.callUserService(effect, answered);
  }

  private deliver(effect: Sending, peer: MemoryRole, answered: (use: () => void) => void): void {
    const { machine, times } = this;
    const { calendar } = this.around;
    const { task } = effect;
    const { flow } = task.run;
    const { node } = machine.role;
    const { to, hop } = effect.crossing;
    switch (effect.kind) {
      case 'call': {
        if (this.callUserService(effect, answered)) break;
        const delivered = (digests: DeliveredDigests): void =>
          answered(() => machine.delivered(task, to, digests, calendar.nowUs));
        const text = flow.workText(node, hop, effect.redacted);
        peer.take(() => peer.machine.work({ delivered }, copy(text), calendar.nowUs));
        break;
      }
      case 'forward': {
        const acknowledge = (): void => answered(() => machine.forwarded(task, to, undefined, calendar.nowUs));
        const outcome = (end: Outcome): void => answered(() => machine.forwarded(task, to, end, calendar.nowUs));
        const text = flow.messageText(node, times.leftUs(flow, calendar.nowUs));
        peer.take(() => peer.machine.flow({ acknowledge, outcome }, copy(text), calendar.nowUs));
        break;
      }
      case 'report': {
        const acknowledge = (): void => answered(() => machine.reported(task));
        const text = JSON.stringify(effect.outcome);
        peer.take(() => peer.machine.report({ acknowledge }, copy(text), calendar.nowUs));
      }
    }
  }

  /** It takes no time here, and its caller waits for the link back. @returns whether the service is one */
  private callUserService(
    { task, crossing, delayUs, ...effect }: Sending,
    answered: (use: () => void) => void,
  ): boolean {
    const { machine } = this;
    const service = effect.kind === 'call' ? machine.role.graph.services[effect.service] : undefined;
    if (service?.userPath === undefined) return false;
    this.after(delayUs, () =>
      answered(() => machine.delivered(task, crossing.to, undefined, this.around.calendar.nowUs)),
    );
    return true;
  }
}

/** As it arrives: read from its text. */
function copy<T>(value: unknown): T {
  return JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) as T;
}
