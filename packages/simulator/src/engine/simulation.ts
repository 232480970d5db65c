/**
 * One replication of one cell: requests, and the messages between processes. Nothing interrupts a turn, so all messages
 * of a turn enter the calendar when it begins. A message has two events: its arrival, and the end of the turn that
 * handles it.
 */
import type { GraphService, RandomStream } from '@topo-bench/core';
import { type Link, linkDelayUs, serviceTimeUs } from '@topo-bench/workload';
import type { Pool } from '../script/deployment-script.ts';
import { operation, operationSize } from '../script/operations.ts';
import type { SimulatedRole } from '../simulated-roles.ts';
import type { Program } from '../traces/traces.ts';
import { ConnectionPools } from './connection-pools.ts';
import { EventCalendar } from './event-calendar.ts';
import { EventLoops, type EventLoopsSetup, type ProcessFigures, type Turns } from './event-loops.ts';
import type { LiveTurns } from './live-turns.ts';
import type { PlannedEvents } from './planned-events.ts';
import { RequestTable } from './request-table.ts';
import { UniformDraws } from './uniform-draws.ts';

export interface SimulationSetup extends EventLoopsSetup {
  /** Send times of all requests, µs from the start of the load, ascending. */
  scheduleUs: Float64Array;
  /** Id of a request (index), for draws of work and links. */
  idOf: (request: number) => string;
  /** Seeds work and links. */
  seed: number;
  /** Draws noise, pauses and scheduling. */
  random: RandomStream;
  /** Max requests in flight of all generators. */
  inFlightCap: number;
  /** End of the load: until then `loadFigures` count. */
  durationUs: number;
  /** The drain ends at this time at the latest. */
  horizonUs: number;
}

/** Receiver of lost messages: no process. */
const nowhere = -(2 ** 31);

export class Simulation implements Turns {
  readonly requests: RequestTable;
  readonly calendar = new EventCalendar();
  private readonly loops: EventLoops;
  private readonly pools: ConnectionPools;
  private readonly random: UniformDraws;
  private code: Int32Array;
  private readonly start: Int32Array;
  private readonly processOfTurn: Int32Array;
  /** Branches that have not ended, at [request · forks + fork]. */
  private readonly branchesLeft: Int32Array;
  private readonly forks: number;
  private nextRequest = 0;

  /** @param live performs all turns in place of the traces */
  constructor(
    private readonly setup: SimulationSetup,
    private readonly program: Program,
    private readonly live: LiveTurns | undefined = undefined,
    /** For live machines only. */
    private readonly events: PlannedEvents | undefined = undefined,
  ) {
    const { parts, scheduleUs, inFlightCap, random } = setup;
    this.random = new UniformDraws(random);
    this.loops = new EventLoops(setup, this.calendar, this, this.random);
    this.pools = new ConnectionPools(parts.pools, this.calendar);
    this.requests = new RequestTable(scheduleUs.length, inFlightCap);
    this.code = program.code;
    this.start = program.start;
    this.processOfTurn = program.process;
    this.forks = Math.max(0, ...program.branches.map(({ length }) => length));
    this.branchesLeft = new Int32Array(this.forks * scheduleUs.length);
    if (!events || !live) return;
    const { calendar, loops, pools, requests } = this;
    const generatorOf = (request: number): number => this.generatorOf(request);
    events.begin({ calendar, loops, pools, requests, live, parts, latencyUs: setup.model.latencyUs, generatorOf });
  }

  /** As `figures`, at the end of the load. A turn that begins before it counts as a whole. */
  loadFigures: ProcessFigures | undefined;

  /** Host of each process. */
  get hosts(): Int32Array {
    return this.loops.hosts;
  }

  get figures(): ProcessFigures {
    return this.loops.figures;
  }

  /**
   * Runs until every request is answered, or the horizon is reached. A change of rules that neither the load nor the
   * last answer has waited for stays unfinished, as in a measured run.
   * @param maxEvents after how many events to return, to be called again
   * @returns whether it has ended
   */
  run(maxEvents = Number.POSITIVE_INFINITY): boolean {
    const { calendar, loops, requests, setup } = this;
    const { scheduleUs, durationUs, horizonUs } = setup;
    let endUs: number | undefined;
    const count = scheduleUs.length;
    const lastEvent = calendar.count + maxEvents;
    const { events } = this;
    const isChanging = (): boolean | undefined =>
      events?.isChanging && Math.min(calendar.nextUs, events.nextUs) <= durationUs;
    while (requests.open > 0 || this.nextRequest < count || isChanging()) {
      const dueUs = this.nextRequest < count ? (scheduleUs[this.nextRequest] as number) : Number.POSITIVE_INFINITY;
      if (events && events.nextUs <= Math.min(dueUs, calendar.nextUs, horizonUs)) {
        events.step();
        continue;
      }
      if (dueUs <= calendar.nextUs) {
        if (dueUs > horizonUs) {
          endUs = horizonUs;
          break;
        }
        this.due(this.nextRequest++, dueUs);
        continue;
      }
      if (calendar.count >= lastEvent) return false;
      if (calendar.nextUs > durationUs) this.loadFigures ??= copyOf(loops.figures);
      if (calendar.nextUs > horizonUs) {
        endUs = horizonUs;
        break;
      }
      const slot = calendar.pop();
      const process = calendar.process[slot] as number;
      if (process < 0) loops.endTurn(-1 - process, slot);
      else loops.arrive(slot, process);
    }
    this.loadFigures ??= copyOf(loops.figures);
    requests.end(endUs ?? calendar.nowUs);
    return true;
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
    const process = this.generatorOf(request);
    this.loops.arrive(calendar.take(process, request, turn, -1), process);
  }

  isWanted(turn: number): boolean {
    return this.live ? this.live.isWanted(turn) : true;
  }

  /** Performs the operations of a turn: its messages enter the calendar. */
  perform(
    core: number,
    process: number,
    ofRequest: number,
    turn: number,
    beginUs: number,
    delayUs: number,
    factor: number,
  ): number {
    const { live, loops, requests } = this;
    const { demand } = loops;
    let request = ofRequest;
    let us = delayUs;
    let at = 0;
    if (live) {
      if (!live.isWanted(turn)) return us;
      this.code = live.perform(turn, request, beginUs);
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
          this.call(process, b, a, core, request, beginUs + us);
          break;
        case operation.lose: {
          const slot = this.calendar.take(nowhere, request, a, core);
          if (this.pools.send(b, slot)) this.calendar.release(slot);
          break;
        }
        case operation.reply:
          // A timeout may have ended the call.
          if (!live || live.isWanted(a)) this.send(process, request, a, core, beginUs + us);
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
            // It is not serialised either.
            return delayUs;
          }
          this.send(process, request, a, core, beginUs + us);
          break;
        case operation.open:
          requests.opened(request, parsedUs);
          break;
        case operation.respond:
          requests.responded(request, parsedUs);
          this.send(process, request, a, core, beginUs + us);
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
        case operation.as:
          request = a;
          break;
        case operation.refused:
          if (!requests.post(request, beginUs)) return delayUs;
          requests.collected(request, beginUs + us);
          break;
      }
      at += operationSize;
      code = this.code;
    }
  }

  private call(from: number, pool: number, turn: number, core: number, request: number, atUs: number): void {
    const { calendar, pools } = this;
    const process = this.processOf(turn, request);
    const slot = calendar.take(process, request, turn, core);
    if (pools.send(pool, slot)) calendar.schedule(atUs + this.networkUs(from, process), slot);
  }

  private releaseConnection(pool: number, atUs: number): void {
    const { calendar, live, pools } = this;
    const { process, peer } = this.setup.parts.pools[pool] as Pool;
    for (let slot = pools.release(pool); slot >= 0; slot = pools.release(pool)) {
      if (calendar.process[slot] === nowhere) {
        calendar.release(slot);
        return;
      }
      if (!live || live.isWanted(calendar.turn[slot] as number)) {
        calendar.schedule(atUs + this.networkUs(process, peer), slot);
        return;
      }
      calendar.release(slot);
    }
  }

  private send(from: number, request: number, turn: number, core: number, atUs: number): void {
    const { calendar } = this;
    const process = this.processOf(turn, request);
    calendar.schedule(atUs + this.networkUs(from, process), calendar.take(process, request, turn, core));
  }

  /** Time of a message between two processes, without links of the topology. */
  private networkUs(from: number, to: number): number {
    const { model, cluster } = this.setup;
    if (!cluster.links) return model.latencyUs;
    const { hosts } = this.loops;
    const { delayUs, jitterUs } = (cluster.links[hosts[from] as number] as readonly Link[])[
      hosts[to] as number
    ] as Link;
    const us = model.latencyUs + delayUs;
    return jitterUs === 0 ? us : Math.max(0, us + (2 * this.random.next() - 1) * jitterUs);
  }

  /** A timer of the process itself. */
  private later(process: number, request: number, turn: number, atUs: number): void {
    this.calendar.schedule(atUs, this.calendar.take(process, request, turn, -1));
  }

  private processOf(turn: number, request: number): number {
    const process = this.live ? this.live.processOf(turn) : (this.processOfTurn[turn] as number);
    return process < this.loops.roles ? process : this.generatorOf(request);
  }

  /** The generators split the requests in turns. What belongs to no request is at the first one. */
  private generatorOf(request: number): number {
    const { roles, count } = this.loops;
    return roles + (Math.max(0, request) % (count - roles));
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

function copyOf({ cpuUs, helperUs, waitUs, turns }: ProcessFigures): ProcessFigures {
  return { cpuUs: cpuUs.slice(), helperUs: helperUs.slice(), waitUs: waitUs.slice(), turns: turns.slice() };
}
