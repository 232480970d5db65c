/**
 * Processes that take turns on shared cores. A process is one event loop with an inbox: it sleeps while that is empty,
 * and handles one message per turn. Nothing interrupts a turn, except a generator, which makes it longer.
 */
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { Cluster } from '../cluster.ts';
import type { ScriptParts } from '../script/deployment-script.ts';
import { Demand } from './demand.ts';
import type { EventCalendar } from './event-calendar.ts';
import { Processors, priorities } from './processors.ts';
import type { UniformDraws } from './uniform-draws.ts';

export interface EventLoopsSetup {
  parts: ScriptParts;
  model: DemandModel;
  cluster: Cluster;
  /** Processes that send the load. */
  generators: number;
  /** Requests that every process has served in its warm-up. */
  servedBefore: number;
}

/** Figures by process: roles in the order of their plan, then generators. */
export interface ProcessFigures {
  /** Time of event loops, pauses included. */
  cpuUs: Float64Array;
  /** Time of other threads. */
  helperUs: Float64Array;
  /** Runnable without a core, and the delay of an idle core. */
  waitUs: Float64Array;
  turns: Float64Array;
}

/** What processes do in their turns. */
export interface Turns {
  /** False for a message that is no longer of interest. */
  isWanted(turn: number): boolean;
  /**
   * @param delayUs passes before the first operation
   * @param factor of the time of operations
   * @returns its length, µs
   */
  perform(
    core: number,
    process: number,
    request: number,
    turn: number,
    beginUs: number,
    delayUs: number,
    factor: number,
  ): number;
}

export class EventLoops {
  readonly figures: ProcessFigures;
  /** Host of each process. */
  readonly hosts: Int32Array;
  readonly demand: Demand;
  /** Generators are the processes after the roles. */
  readonly roles: number;
  /** Roles and generators; the other threads of process p are process p + `count`. */
  readonly count: number;
  private readonly processors: Processors;
  private readonly sliceUs: number;
  private readonly idleCoreUs: number;
  /** By process: first and last message of its inbox, and since when it is runnable. */
  private readonly inbox: Int32Array;
  private readonly inboxEnd: Int32Array;
  private readonly runnableUs: Float64Array;
  private readonly isAwake: Uint8Array;
  private readonly isFrozen: Uint8Array;
  /** By process: 1 / speed of its host. */
  private readonly slowness: Float64Array;
  /** By host: processor time of all its processes, per core. By process: that time at the end of its last turn. */
  private readonly workUs: Float64Array;
  private readonly seenWorkUs: Float64Array;
  /** By host: 1 / cores. */
  private readonly perCore: Float64Array;
  /** By core: time that generators took from the turn that runs there. By generator: the core that it took from. */
  private readonly stolenUs: Float64Array;
  private readonly victimOf: Int32Array;

  constructor(
    { parts, model, cluster, generators, servedBefore }: EventLoopsSetup,
    private readonly calendar: EventCalendar,
    private readonly turns: Turns,
    random: UniformDraws,
  ) {
    this.roles = parts.roles.length;
    this.count = this.roles + generators;
    const hosts = hostsOf(parts, cluster, this.count);
    this.hosts = Int32Array.from(hosts);
    const priority = hosts.map((_, process) => {
      if (process >= this.roles) return priorities.generator;
      return parts.gateways.some((gateway) => gateway.process === process) ? priorities.gateway : priorities.other;
    });
    this.processors = new Processors(
      cluster.hosts.map((host) => host.cores),
      Int32Array.from([...hosts, ...hosts]),
      Int32Array.from([...priority, ...hosts.map(() => priorities.other)]),
      generators,
      model.scheduling,
      random,
    );
    this.sliceUs = model.scheduling.sliceUs;
    this.idleCoreUs = model.wake.idleCoreUs;
    this.stolenUs = new Float64Array(this.processors.cores);
    this.victimOf = new Int32Array(generators);
    this.slowness = Float64Array.from(hosts, (host) => 1 / (cluster.hosts[host] as { speed: number }).speed);
    this.workUs = new Float64Array(cluster.hosts.length);
    this.seenWorkUs = new Float64Array(this.count);
    this.perCore = Float64Array.from(cluster.hosts, ({ cores }) => 1 / cores);
    this.demand = new Demand(model, parts.roles, this.count, servedBefore, random);
    this.inbox = new Int32Array(2 * this.count).fill(-1);
    this.inboxEnd = new Int32Array(2 * this.count).fill(-1);
    this.runnableUs = new Float64Array(2 * this.count);
    this.isAwake = new Uint8Array(2 * this.count);
    this.isFrozen = new Uint8Array(2 * this.count);
    this.figures = {
      cpuUs: new Float64Array(this.count),
      helperUs: new Float64Array(this.count),
      waitUs: new Float64Array(2 * this.count),
      turns: new Float64Array(this.count),
    };
  }

  /** A message reaches the inbox of a process, which wakes up if it sleeps. */
  arrive(slot: number, process: number): void {
    const { calendar, turns } = this;
    if (process < this.count && !turns.isWanted(calendar.turn[slot] as number)) {
      calendar.release(slot);
      return;
    }
    calendar.next[slot] = -1;
    const last = this.inboxEnd[process] as number;
    this.inboxEnd[process] = slot;
    if (last >= 0) calendar.next[last] = slot;
    else this.inbox[process] = slot;
    if (this.isAwake[process] || this.isFrozen[process]) return;
    this.wake(process, calendar.core[slot] as number);
  }

  /** Nothing happens in a process until its thaw. A turn that has begun ends. */
  freeze(process: number): void {
    this.isFrozen[process] = 1;
  }

  thaw(process: number): void {
    this.isFrozen[process] = 0;
    if ((this.inbox[process] as number) >= 0 && !this.isAwake[process]) this.wake(process, -1);
  }

  private wake(process: number, waker: number): void {
    const { calendar, processors } = this;
    this.isAwake[process] = woken;
    this.runnableUs[process] = calendar.nowUs;
    const core = processors.coreFor(process, waker);
    if (processors.running[core] !== -1 && process >= this.roles && process < this.count) this.preempt(process, core);
    else if (processors.running[core] === -1) this.begin(core, process, this.idleCoreUs, true);
    else processors.enqueue(core, process);
  }

  /** The process gets the core, and begins after a delay. @param isWoken whether it has slept */
  private begin(core: number, process: number, delayUs: number, isWoken: boolean): void {
    const { calendar, processors } = this;
    const { nowUs } = calendar;
    processors.start(core, process, nowUs);
    (this.figures.waitUs[process] as number) += nowUs + delayUs - (this.runnableUs[process] as number);
    this.turn(core, process, nowUs + delayUs, isWoken);
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
  endTurn(core: number, slot: number): void {
    const { calendar, processors, stolenUs } = this;
    if (core < processors.cores && (stolenUs[core] as number) > 0) {
      calendar.schedule(calendar.nowUs + (stolenUs[core] as number), slot);
      stolenUs[core] = 0;
      return;
    }
    calendar.release(slot);
    const process = processors.running[core] as number;
    if (process < this.count) {
      this.demand.ended(process, calendar.nowUs);
      this.seenWorkUs[process] = this.workUs[this.hosts[process] as number] as number;
    }
    if ((this.inbox[process] as number) >= 0 && !this.isFrozen[process]) {
      const ranUs = calendar.nowUs - (processors.sliceSinceUs[core] as number);
      if (core >= processors.cores || ranUs < this.sliceUs || !processors.isQueued(core)) {
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
    let next = processors.nextFor(core);
    for (; next >= 0 && this.isFrozen[next]; next = processors.nextFor(core)) this.isAwake[next] = 0;
    if (next >= 0) this.begin(core, next, 0, this.isAwake[next] === woken);
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
    this.isAwake[process] = running;
    const isHelper = process >= this.count;
    const host = this.hosts[isHelper ? process - this.count : process] as number;
    let us: number;
    if (isHelper) {
      // Another thread: its job is as long as it was drawn, in ns.
      us = turn / 1000;
      (figures.helperUs[process - this.count] as number) += us;
    } else {
      const isRole = process < this.roles;
      // Generators run warm, with real-time priority and without collections.
      const othersUs = (this.workUs[host] as number) - (this.seenWorkUs[process] as number);
      const factor =
        (isRole ? demand.factor(process, beginUs, othersUs) : demand.noiseFactor()) *
        (this.slowness[process] as number);
      const chance = isRole ? demand.chance() : 0;
      const pauseUs = isRole ? demand.pauseUs(chance) : 0;
      const wokenUs = isWoken ? demand.wakeUs * factor : 0;
      us = this.turns.perform(core, process, request, turn, beginUs, pauseUs + wokenUs, factor);
      if (next < 0 && isRole) us += demand.sleepUs * factor;
      (figures.cpuUs[process] as number) += us;
      (figures.turns[process] as number)++;
      const helperUs = isRole ? demand.helperUs(us, chance) : 0;
      if (core >= this.processors.cores) {
        const victim = this.victimOf[process - this.roles] as number;
        (this.stolenUs[victim] as number) += us;
      }
      if (helperUs > 0) {
        const helper = process + this.count;
        calendar.schedule(beginUs, calendar.take(helper, request, Math.ceil(helperUs * 1000), core));
      }
    }
    (this.workUs[host] as number) += us * (this.perCore[host] as number);
    calendar.schedule(beginUs + us, calendar.take(-1 - core, -1, -1, -1));
  }
}

/** States of a process that does not sleep: it has not run since it woke up, or it has. */
const woken = 1;
const running = 2;

/** The host of each process: roles in the order of their plan, then generators, which are with the first gateway. */
export function hostsOf(
  { roles, gateways: [gateway] }: ScriptParts,
  { hostOfNode, hostOfGenerators }: Cluster,
  processes: number,
): number[] {
  const hosts = roles.map(({ node }) => hostOfNode[node] as number);
  const others = hostOfGenerators ?? (hosts[gateway.process] as number);
  return Array.from({ length: processes }, (_, process) => hosts[process] ?? others);
}
