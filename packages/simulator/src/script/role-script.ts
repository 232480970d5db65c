/**
 * A role as a script: performs the effects of its machine by writing operations. Messages travel as the JSON of the
 * wire. It has no time of its own: the writer knows when the turns that it asks for begin.
 */
import type { Decision } from '@topo-bench/core';
import {
  type AnswerEffect,
  type AnswerWorkEffect,
  type CallEffect,
  type Decider,
  deadlinePassed,
  type FlowMessage,
  type FlowRole,
  type ForwardEffect,
  gatewayAnswer,
  HopFailure,
  HopTimes,
  noCounts,
  type Outcome,
  type ReportEffect,
  type RoleEffect,
  RoleMachine,
  type WorkMessage,
} from '@topo-bench/flow';
import { operation, type WorkKind, workNumber } from './operations.ts';
import type { OpenCall, ScriptReply, TurnWriter } from './turn-writer.ts';

type Sending = CallEffect<ScriptReply> | ForwardEffect<ScriptReply> | ReportEffect<ScriptReply>;

/** Faults at a time of the calendar. */
export interface ScriptFaults {
  /** Delay of each message that a role sends. */
  delayUs(role: string, nowUs: number): number;
  /** Whether a message from one role to another is lost. */
  loses(from: string, to: string, nowUs: number): boolean;
  isDown(role: string): boolean;
  /** Whether a role answers questions. */
  answers(role: string): boolean;
}

export const noFaults: ScriptFaults = {
  delayUs: () => 0,
  loses: () => false,
  isDown: () => false,
  answers: () => true,
};

/** The other roles, as one of them reaches them. */
export interface ScriptPeers {
  /** Index of the pool of connections of a role to a peer. */
  poolOf(process: number, to: string): number;
  roleNamed(name: string): RoleScript;
  readonly faults: ScriptFaults;
  /** Calls `machine.found` with what all roles have seen of a request. */
  search(effect: Extract<RoleEffect<ScriptReply>, { kind: 'search' }>, machine: RoleMachine<ScriptReply>): void;
}

export class RoleScript {
  readonly machine: RoleMachine<ScriptReply>;
  readonly counts = noCounts();
  private readonly times: HopTimes;
  private readonly isGateway: boolean;
  /** Has the versions that this role has. */
  private readonly decider: Decider | undefined;
  /** By peer. */
  private readonly calls = new Map<string, Set<OpenCall>>();

  /**
   * @param process index of the role
   * @param versions has all versions of its rules
   */
  constructor(
    role: FlowRole,
    readonly process: number,
    private readonly versions: Decider | undefined,
    private readonly writer: TurnWriter,
    private readonly peers: ScriptPeers,
  ) {
    this.times = new HopTimes(role);
    this.isGateway = role.kind === 'gateway';
    this.decider = versions?.startingWith(role.rulesVersion ?? 0);
    this.machine = new RoleMachine<ScriptReply>(role, this.counts, (effect) => this.perform(effect));
  }

  /** The first operations of a turn that a message begins. @param bytes of the request in it */
  begin(kind: WorkKind, bytes = 0): void {
    this.cost(kind, bytes);
    if (this.isGateway) this.writer.write(operation.parsed);
  }

  private cost(kind: WorkKind, bytes = 0): void {
    this.writer.write(operation.cost, workNumber(kind), bytes);
  }

  private perform(effect: RoleEffect<ScriptReply>): void {
    const { machine, writer, process } = this;
    switch (effect.kind) {
      case 'acknowledge':
        this.cost('acknowledge');
        this.reply(effect.reply);
        break;
      case 'decide':
        this.decide(effect);
        break;
      case 'work':
        this.work(effect);
        break;
      case 'call':
      case 'forward':
      case 'report':
        this.late(() => this.overLink(effect.crossing, () => this.send(effect)));
        break;
      case 'answer':
      case 'answer-work':
        this.answer(effect);
        break;
      case 'respond': {
        const { reply, outcome, rttUs, pastDeadline, ruleIds } = effect;
        const { state, verdict } = outcome;
        reply.respond?.(gatewayAnswer(machine.role.graph, state, verdict, rttUs, pastDeadline, ruleIds));
        this.cost('respond');
        writer.write(operation.respond, reply.turn);
        break;
      }
      case 'refuse-duplicate':
        throw new RangeError(`the id ${effect.id} is in flight twice`);
      case 'search':
        this.peers.search(effect, machine);
        break;
      case 'timer':
        writer.startTimer(process, effect.timer, () => machine.expired(effect.timer, writer.nowUs));
        break;
      case 'cancel':
        writer.cancelTimer(process, effect.timer);
        break;
      case 'arrive':
        writer.arrive(process, effect.fork);
        break;
      case 'prepare-rules': {
        // They were built before the load.
        const { change, reply } = effect;
        this.decider?.adopt(change.version, this.versions as Decider);
        machine.rulesPrepared(reply, change.version, writer.nowUs);
        break;
      }
      case 'confirm-rules':
        this.cost('acknowledge');
        effect.reply.confirmed?.(effect.version);
        break;
      case 'refuse-rules':
        effect.reply.confirmed?.(undefined);
        break;
      case 'drop-rules':
        this.decider?.drop(effect.before);
    }
  }

  private decide({ task, service, version }: Extract<RoleEffect<ScriptReply>, { kind: 'decide' }>): void {
    const { machine, decider, writer } = this;
    const { request, visited } = task.run.flow;
    this.cost('decide');
    let decision: Decision | Promise<Decision>;
    try {
      if (!decider) throw new RangeError(`${machine.role.name} decides no steps`);
      decision = decider.decide(service, request, visited, version);
      if (decision instanceof Promise) throw new RangeError('the engine of a simulation decides at once');
    } catch (error) {
      machine.failed(task, error, writer.nowUs);
      return;
    }
    machine.decided(task, decision, writer.nowUs);
  }

  /** A role works for its own service only. The engine draws the time, as the machine does. */
  private work({ task }: Extract<RoleEffect<ScriptReply>, { kind: 'work' }>): void {
    const { machine, writer, process } = this;
    const service = machine.role.responsibleFor[0] as number;
    const worked = (): void => machine.worked(task, writer.nowUs);
    if (machine.role.graph.services[service]?.work.kind === 'wait') {
      writer.write(operation.wait, writer.turn(process, worked), service);
    } else {
      writer.write(operation.cpu, service);
      worked();
    }
  }

  /** A slow role waits before each message. */
  private late(then: () => void): void {
    const { writer, machine, peers, process } = this;
    const us = peers.faults.delayUs(machine.role.name, writer.nowUs);
    if (us > 0) writer.write(operation.timer, writer.turn(process, then), us);
    else then();
  }

  /** Answers a message, unless the answer is lost. */
  private reply({ turn, from }: ScriptReply): void {
    const { writer, machine, peers } = this;
    if (from !== undefined && peers.faults.loses(machine.role.name, from, writer.nowUs)) return;
    writer.write(operation.reply, turn);
  }

  /** Waits for the link to a node, if there is one. */
  private overLink({ node, hop }: { node: number; hop: number }, then: () => void): void {
    const { writer, machine, process } = this;
    const { graph, node: from } = machine.role;
    if (graph.links[from]?.[node]) writer.write(operation.link, writer.turn(process, then), node, hop);
    else then();
  }

  private send(effect: Sending): void {
    const { machine, writer, process, peers, times } = this;
    const { task, crossing } = effect;
    const { flow } = task.run;
    const { to } = crossing;
    const withinUs = times.withinUs(flow, writer.nowUs);
    const expire = (): void => machine.failed(task, deadlinePassed(to, withinUs), writer.nowUs);
    if (withinUs <= 0) {
      expire();
      return;
    }
    if (peers.faults.isDown(to)) {
      machine.failed(task, new HopFailure('unreachable', to, `${to} is not reachable: it is down`), writer.nowUs);
      return;
    }
    const { name } = machine.role;
    const pool = peers.poolOf(process, to);
    const reply: ScriptReply = { turn: -1, from: name };
    const bytes = bytesOf(effect);
    const arrival = this.arrival(effect, reply, bytes);
    const calls = this.callsTo(to);
    const end = (fail: () => void): void => {
      calls.delete(lost);
      writer.drop(reply.turn);
      writer.write(operation.abandon, arrival, pool);
      fail();
    };
    const cancel = writer.hopTimeout(process, withinUs, () => end(expire));
    const lost = writer.callOf(() => {
      cancel();
      const message = `${to} is not reachable: its connection ended`;
      end(() => machine.failed(task, new HopFailure('unreachable', to, message, true), writer.nowUs));
    });
    calls.add(lost);
    reply.turn = writer.turn(process, () => {
      cancel();
      calls.delete(lost);
      this.begin('read');
      writer.write(operation.release, 0, pool);
      this.read(effect, reply);
    });
    this.cost('send', bytes);
    const isLost = peers.faults.loses(name, to, writer.nowUs);
    writer.write(isLost ? operation.lose : operation.call, arrival, pool);
    if (isLost) writer.drop(arrival);
  }

  /** Open calls to a peer: the crash of the peer ends them. */
  callsTo(peer: string): Set<OpenCall> {
    const calls = this.calls.get(peer) ?? new Set();
    this.calls.set(peer, calls);
    return calls;
  }

  /** The turn of the peer that takes the message. */
  private arrival(effect: Sending, reply: ScriptReply, bytes: number): number {
    const { machine, writer, peers, times } = this;
    const { flow } = effect.task.run;
    const { node } = machine.role;
    const { to, hop } = effect.crossing;
    const peer = peers.roleNamed(to);
    const take = (text: string, use: (body: unknown) => void): number =>
      writer.turn(peer.process, () => {
        peer.begin('receive', bytes);
        if (effect.kind !== 'report') writer.write(operation.serve);
        use(JSON.parse(text));
      });
    switch (effect.kind) {
      case 'call':
        return take(flow.workText(node, hop, effect.redacted), (body) =>
          peer.machine.work(reply, body as WorkMessage, writer.nowUs),
        );
      case 'forward':
        return take(flow.messageText(node, times.leftUs(flow, writer.nowUs)), (body) =>
          peer.machine.flow(reply, body as FlowMessage, writer.nowUs),
        );
      case 'report':
        return take(JSON.stringify(effect.outcome), (body) =>
          peer.machine.report(reply, body as Outcome, writer.nowUs),
        );
    }
  }

  private read(effect: Sending, { outcome, delivered }: ScriptReply): void {
    const { machine, writer } = this;
    const { task, crossing } = effect;
    if (effect.kind === 'call') machine.delivered(task, crossing.to, delivered, writer.nowUs);
    else if (effect.kind === 'forward') machine.forwarded(task, crossing.to, outcome, writer.nowUs);
    else machine.reported(task);
  }

  /** The answer crosses the link to the sender of the message. */
  private answer(effect: AnswerEffect<ScriptReply> | AnswerWorkEffect<ScriptReply>): void {
    const { machine } = this;
    const isFlow = effect.kind === 'answer';
    const back = isFlow ? effect.task.run.flow.sender : effect.task.back;
    const reply = effect.task.reply as ScriptReply;
    const responseBytes = machine.role.graph.services[machine.role.responsibleFor[0] ?? -1]?.responseBytes;
    const send = (): void => {
      if (isFlow) reply.outcome = JSON.parse(JSON.stringify(effect.outcome)) as Outcome;
      else reply.delivered = { ...effect.task.delivered };
      this.cost('answer', isFlow ? 0 : responseBytes);
      this.reply(reply);
      machine.answered(effect.task);
    };
    this.late(() => (back ? this.overLink(back, send) : send()));
  }
}

/** Bytes of the request in a message: the part of its size that depends on the request. */
function bytesOf(effect: Sending): number {
  if (effect.kind === 'report') return 0;
  const { request } = effect.task.run.flow;
  const copy = effect.kind === 'call' ? (effect.redacted ?? request) : request;
  return JSON.stringify(copy.payload).length;
}
