/**
 * One replication of one cell: processes that take turns on shared cores, and the messages between them. A process is
 * one event loop; nothing interrupts a turn, so all messages of a turn enter the calendar when it begins. Two events
 * per message: its arrival, and the end of the turn that handles it.
 */
import type { GraphService, RandomStream } from '@topo-bench/core';
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import { type Link, linkDelayUs, serviceTimeUs } from '@topo-bench/workload';
import type { Cluster } from '../cluster.ts';
import type { ScriptParts } from '../script/deployment-script.ts';
import { operation, operationSize } from '../script/operations.ts';
import type { SimulatedRole } from '../simulated-roles.ts';
import type { Program } from '../traces/traces.ts';
import { ConnectionPools } from './connection-pools.ts';
import { Demand } from './demand.ts';
import { EventCalendar } from './event-calendar.ts';
import type { LiveTurns } from './live-turns.ts';
import { Processors, priorities } from './processors.ts';
import { RequestTable } from './request-table.ts';
import { UniformDraws } from './uniform-draws.ts';

export interface SimulationSetup {
  parts: ScriptParts;
  model: DemandModel;
  cluster: Cluster;
  /** Send times of all requests, µs from the start of the load, ascending. */
  scheduleUs: Float64Array;
  /** Id of a request (index), for draws of work and links. */
  idOf: (request: number) => string;
  /** Seeds work and links. */
  seed: number;
  /** Draws noise, pauses and scheduling. */
  random: RandomStream;
  /** Processes that send the load. */
  generators: number;
  /** Max requests in flight of all generators. */
  inFlightCap: number;
  /** The drain ends at this time at the latest. */
  horizonUs: number;
  /** Requests that every process has served in its warm-up. */
  servedBefore: number;
}

/** Figures by process: roles in the order of their plan, then generators. */
export interface ProcessFigures {
  /** Time of event loops, pauses included. */
  cpuUs: Float64Array;
  /** Time of other threads. */
  helperUs: Float64Array;
  /** Runnable without a core. */
  waitUs: Float64Array;
  turns: Float64Array;
}

export class Simulation {
  readonly requests: RequestTable;
  readonly figures: ProcessFigures;
  readonly calendar = new EventCalendar();
  private readonly demand: Demand;
  private readonly processors: Processors;
  private readonly pools: ConnectionPools;
  private readonly roles: number;
  /** Roles and generators; the other threads of process p are process p + `loops`. */
  private readonly loops: number;
  /** By process: first and last message of its inbox, and since when it is runnable, −1 while it sleeps or runs. */
  private readonly inbox: Int32Array;
  private readonly inboxEnd: Int32Array;
  private readonly runnableUs: Float64Array;
  private readonly isAwake: Uint8Array;
  /** By process: 1 / speed of its host. */
  private readonly slowness: Float64Array;
  private code: Int32Array;
  private readonly start: Int32Array;
  private readonly processOfTurn: Int32Array;
  /** Branches that have not ended, at [request · forks + fork]. */
  private readonly branchesLeft: Int32Array;
  private readonly forks: number;
  /** By core: time that generators took from the turn that runs there. By generator: the core that it took from. */
  private readonly stolenUs: Float64Array;
  private readonly victimOf: Int32Array;
  private nextRequest = 0;

  /** @param flow traces, or live machines */
  constructor(
    private readonly setup: SimulationSetup,
    private readonly program: Program,
    private readonly live: LiveTurns | undefined = undefined,
  ) {
    const { parts, model, cluster, scheduleUs, generators, servedBefore, inFlightCap } = setup;
    const random = new UniformDraws(setup.random);
    this.roles = parts.roles.length;
    this.loops = this.roles + generators;
    const gatewayHost = cluster.hostOfNode[parts.roles[parts.gateway]?.node ?? 0] as number;
    const hosts = Array.from({ length: this.loops }, (_, process) => {
      const role = parts.roles[process];
      return role ? (cluster.hostOfNode[role.node] as number) : gatewayHost;
    });
    const priority = hosts.map((_, process) => {
      if (process >= this.roles) return priorities.generator;
      return process === parts.gateway ? priorities.gateway : priorities.other;
    });
    const others = hosts.map(() => priorities.other);
    const cores = cluster.hosts.map((host) => host.cores);
    this.processors = new Processors(
      cores,
      Int32Array.from([...hosts, ...hosts]),
      Int32Array.from([...priority, ...others]),
      generators,
      model.scheduling,
      random,
    );
    this.stolenUs = new Float64Array(this.processors.cores);
    this.victimOf = new Int32Array(generators);
    this.slowness = Float64Array.from(hosts, (host) => 1 / (cluster.hosts[host] as { speed: number }).speed);
    this.demand = new Demand(model, parts.roles, this.loops, servedBefore, random);
    this.pools = new ConnectionPools(parts.pools, this.calendar);
    this.inbox = new Int32Array(2 * this.loops).fill(-1);
    this.inboxEnd = new Int32Array(2 * this.loops).fill(-1);
    this.runnableUs = new Float64Array(2 * this.loops);
    this.isAwake = new Uint8Array(2 * this.loops);
    this.figures = {
      cpuUs: new Float64Array(this.loops),
      helperUs: new Float64Array(this.loops),
      waitUs: new Float64Array(2 * this.loops),
      turns: new Float64Array(this.loops),
    };
    this.requests = new RequestTable(scheduleUs.length, inFlightCap);
    this.code = program.code;
    this.start = program.start;
    this.processOfTurn = program.process;
    this.forks = Math.max(0, ...program.branches.map(({ length }) => length));
    this.branchesLeft = new Int32Array(this.forks * scheduleUs.length);
  }

  /** Runs until every request is answered, or the horizon is reached. */
  run(): void {
    const { calendar, requests, setup } = this;
    const { scheduleUs, horizonUs } = setup;
    const count = scheduleUs.length;
    while (requests.open > 0 || this.nextRequest < count) {
      const dueUs = this.nextRequest < count ? (scheduleUs[this.nextRequest] as number) : Number.POSITIVE_INFINITY;
      if (dueUs <= calendar.nextUs) {
        if (dueUs > horizonUs) break;
        this.due(this.nextRequest++, dueUs);
        continue;
      }
      if (calendar.nextUs > horizonUs) break;
      const slot = calendar.pop();
      const process = calendar.process[slot] as number;
      if (process < 0) this.endTurn(-1 - process, slot);
      else this.arrive(slot, process);
    }
    requests.end(Math.min(horizonUs, calendar.nowUs));
  }

  /** A generator is to send a request now. */
  private due(request: number, nowUs: number): void {
    const { program, live, calendar, forks } = this;
    calendar.nowUs = nowUs;
    this.requests.open++;
    if (!live && forks > 0) {
      const branches = program.branches[program.traceOf[request] as number] as readonly number[];
      for (let fork = 0; fork < branches.length; fork++) {
        this.branchesLeft[request * forks + fork] = branches[fork] as number;
      }
    }
    const turn = live ? live.request(request) : (program.firstTurn[request] as number);
    const process = this.roles + (request % (this.loops - this.roles));
    this.arrive(calendar.take(process, request, turn, -1), process);
  }

  /** A message reaches the inbox of a process, which wakes up if it sleeps. */
  private arrive(slot: number, process: number): void {
    const { calendar, live, processors } = this;
    if (live && process < this.loops && !live.isWanted(calendar.turn[slot] as number)) {
      calendar.release(slot);
      return;
    }
    calendar.next[slot] = -1;
    const last = this.inboxEnd[process] as number;
    this.inboxEnd[process] = slot;
    if (last >= 0) calendar.next[last] = slot;
    else this.inbox[process] = slot;
    if (this.isAwake[process]) return;
    this.isAwake[process] = 1;
    this.runnableUs[process] = calendar.nowUs;
    const core = processors.coreFor(process, calendar.core[slot] as number);
    if (processors.running[core] !== -1 && process >= this.roles && process < this.loops) this.preempt(process, core);
    else if (processors.running[core] === -1) this.begin(core, process, this.setup.model.wake.idleCoreUs, true);
    else processors.enqueue(core, process);
  }

  /** The process gets the core. @param isIdle whether the core has been idle; then it begins after the delay */
  private begin(core: number, process: number, delayUs: number, isIdle: boolean): void {
    const { calendar, processors } = this;
    const { nowUs } = calendar;
    processors.start(core, process, nowUs);
    (this.figures.waitUs[process] as number) += nowUs - (this.runnableUs[process] as number);
    this.turn(core, process, nowUs + (isIdle ? delayUs : 0), true);
  }

  /** A generator has real-time priority: it takes the time of its turn from the process that runs on the core. */
  private preempt(process: number, victim: number): void {
    const { processors, calendar } = this;
    const core = processors.cores + process - this.roles;
    processors.start(core, process, calendar.nowUs);
    this.victimOf[process - this.roles] = victim;
    this.turn(core, process, calendar.nowUs, true);
  }

  /** The turn of a core is over: its process continues, waits for its next turn, or sleeps. */
  private endTurn(core: number, slot: number): void {
    const { calendar, processors, setup, stolenUs } = this;
    if (core < processors.cores && (stolenUs[core] as number) > 0) {
      calendar.schedule(calendar.nowUs + (stolenUs[core] as number), slot);
      stolenUs[core] = 0;
      return;
    }
    calendar.release(slot);
    const process = processors.running[core] as number;
    if (process < this.loops) this.demand.ended(process, calendar.nowUs);
    if ((this.inbox[process] as number) >= 0) {
      const ranUs = calendar.nowUs - (processors.sliceSinceUs[core] as number);
      if (core >= processors.cores || ranUs < setup.model.scheduling.sliceUs || !processors.isQueued(core)) {
        this.turn(core, process, calendar.nowUs, false);
        return;
      }
      this.runnableUs[process] = calendar.nowUs;
      processors.enqueue(core, process);
    } else {
      this.isAwake[process] = 0;
    }
    if (core >= processors.cores) {
      processors.running[core] = -1;
      return;
    }
    const next = processors.nextFor(core);
    if (next >= 0) this.begin(core, next, 0, false);
  }

  /** Handles the next message of the inbox. */
  private turn(core: number, process: number, beginUs: number, isWoken: boolean): void {
    const { calendar, demand, figures } = this;
    const slot = this.inbox[process] as number;
    const next = calendar.next[slot] as number;
    this.inbox[process] = next;
    if (next < 0) this.inboxEnd[process] = -1;
    const request = calendar.request[slot] as number;
    const turn = calendar.turn[slot] as number;
    calendar.release(slot);
    let us: number;
    if (process >= this.loops) {
      // Another thread: its job is as long as it was drawn, in ns.
      us = turn / 1000;
      (figures.helperUs[process - this.loops] as number) += us;
    } else {
      const isRole = process < this.roles;
      // Generators run warm, with real-time priority and without collections.
      const factor =
        (isRole ? demand.factor(process, beginUs) : demand.noiseFactor()) * (this.slowness[process] as number);
      const chance = isRole ? demand.chance() : 0;
      const pauseUs = isRole ? demand.pauseUs(chance) : 0;
      const wokenUs = isWoken ? demand.wakeUs * factor : 0;
      us = this.perform(core, process, request, turn, beginUs, pauseUs + wokenUs, factor);
      (figures.cpuUs[process] as number) += us;
      (figures.turns[process] as number)++;
      const helperUs = isRole ? demand.helperUs(us, chance) : 0;
      if (core >= this.processors.cores) {
        const victim = this.victimOf[process - this.roles] as number;
        (this.stolenUs[victim] as number) += us;
      }
      if (helperUs > 0) {
        const helper = process + this.loops;
        calendar.schedule(beginUs, calendar.take(helper, request, Math.ceil(helperUs * 1000), core));
      }
    }
    calendar.schedule(beginUs + us, calendar.take(-1 - core, -1, -1, -1));
  }

  /** Performs the operations of a turn. @returns its length, µs */
  private perform(
    core: number,
    process: number,
    request: number,
    turn: number,
    beginUs: number,
    delayUs: number,
    factor: number,
  ): number {
    const { demand, live, requests, setup } = this;
    let us = delayUs;
    let at = 0;
    if (live) {
      if (!live.isWanted(turn)) return us;
      this.code = live.perform(turn, beginUs);
    } else at = this.start[turn] as number;
    let { code } = this;
    let parsedUs = beginUs;
    for (;;) {
      const a = code[at + 1] as number;
      const b = code[at + 2] as number;
      switch (code[at]) {
        case operation.end:
          return us;
        case operation.cost:
          us += demand.operationUs(process, a, b) * factor;
          break;
        case operation.serve:
          demand.serve(process);
          break;
        case operation.call:
          this.call(b, a, core, request, beginUs + us);
          break;
        case operation.reply:
          // A timeout may have ended the call.
          if (!live || live.isWanted(a)) this.send(this.processOf(a, request), request, a, core, beginUs + us);
          break;
        case operation.release:
          this.releaseConnection(b, beginUs + us);
          break;
        case operation.parsed:
          parsedUs = beginUs + us;
          break;
        case operation.cpu:
          us += this.workUs(a, request);
          break;
        case operation.wait:
          this.later(process, request, a, beginUs + us + this.workUs(b, request) + demand.lateUs());
          break;
        case operation.link: {
          const linkUs = this.linkUs(process, b, code[at + 3] as number, request);
          this.later(process, request, a, beginUs + us + linkUs + demand.lateUs());
          break;
        }
        case operation.branch:
          (this.branchesLeft[request * this.forks + a] as number)--;
          break;
        case operation.join:
          if (--(this.branchesLeft[request * this.forks + a] as number) > 0) return us;
          at = b;
          continue;
        case operation.post:
          if (!requests.post(request, beginUs)) {
            live?.drop(a);
            return us;
          }
          this.send(setup.parts.gateway, request, a, core, beginUs + us);
          break;
        case operation.open:
          requests.opened(request, parsedUs);
          break;
        case operation.respond:
          requests.responded(request, parsedUs);
          this.send(this.processOf(a, request), request, a, core, beginUs + us);
          break;
        case operation.collect:
          requests.collected(request, beginUs + us);
          break;
        case operation.timer:
          this.later(process, request, a, beginUs + us + b);
          break;
        case operation.abandon:
          if (!this.pools.remove(b, a)) this.releaseConnection(b, beginUs + us);
          break;
      }
      at += operationSize;
      code = this.code;
    }
  }

  private call(pool: number, turn: number, core: number, request: number, atUs: number): void {
    const { calendar, pools, setup } = this;
    const slot = calendar.take(this.processOf(turn, request), request, turn, core);
    if (pools.send(pool, slot)) calendar.schedule(atUs + setup.model.latencyUs, slot);
  }

  private releaseConnection(pool: number, atUs: number): void {
    const { calendar, live, pools, setup } = this;
    for (let slot = pools.release(pool); slot >= 0; slot = pools.release(pool)) {
      if (!live || live.isWanted(calendar.turn[slot] as number)) {
        calendar.schedule(atUs + setup.model.latencyUs, slot);
        return;
      }
      calendar.release(slot);
    }
  }

  private send(process: number, request: number, turn: number, core: number, atUs: number): void {
    const { calendar } = this;
    calendar.schedule(atUs + this.setup.model.latencyUs, calendar.take(process, request, turn, core));
  }

  /** A timer of the process itself. */
  private later(process: number, request: number, turn: number, atUs: number): void {
    this.calendar.schedule(atUs, this.calendar.take(process, request, turn, -1));
  }

  private processOf(turn: number, request: number): number {
    const process = this.live ? this.live.processOf(turn) : (this.processOfTurn[turn] as number);
    return process < this.roles ? process : this.roles + (request % (this.loops - this.roles));
  }

  private workUs(service: number, request: number): number {
    const { parts, seed, idOf } = this.setup;
    const { work, name } = (parts.roles[0]?.graph.services ?? [])[service] as GraphService;
    return work.law === 'constant' ? work.meanUs : serviceTimeUs(work, seed, idOf(request), name);
  }

  private linkUs(process: number, toNode: number, hop: number, request: number): number {
    const { parts, seed, idOf } = this.setup;
    const { graph, node: fromNode } = parts.roles[process] as SimulatedRole;
    const link = graph.links[fromNode]?.[toNode] as Link;
    if (link.jitterUs === 0) return link.delayUs;
    return linkDelayUs(link, seed, { requestId: idOf(request), hop, fromNode, toNode });
  }
}
