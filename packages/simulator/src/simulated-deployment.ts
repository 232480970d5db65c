/**
 * A deployment that can be simulated: its rule engines, its traces, and replications of loads. A replication uses
 * traces. If a deadline may have expired in it, it is performed again with live machines: they know what happens then,
 * and all earlier times are the same to the last bit. Live machines alone perform replicas that take turns.
 */
import { type GatewayRequest, type GatewayResponse, type Hashing, randomStream } from '@topo-bench/core';
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { DeploymentPlan } from '@topo-bench/deployment/deployment-plan';
import { allMarginsUs, type GatewayAnswer } from '@topo-bench/flow';
import type { TimedRuleChange } from '@topo-bench/flow/memory';
import type { Graph } from '@topo-bench/topology/graph';
import type { Cluster } from './cluster.ts';
import type { ProcessFigures } from './engine/event-loops.ts';
import { LiveTurns } from './engine/live-turns.ts';
import type { PlannedEvents } from './engine/planned-events.ts';
import type { RequestTable } from './engine/request-table.ts';
import { Simulation, type SimulationSetup } from './engine/simulation.ts';
import { type ScriptParts, scriptParts } from './script/deployment-script.ts';
import { type SimulatedRole, type SimulatedRolesOptions, simulatedRoles } from './simulated-roles.ts';
import { type Stability, type StabilitySetup, stabilityOf } from './stability.ts';
import { Traces } from './traces/traces.ts';

type NamedRequest = GatewayRequest & { id: string };

export interface ReplicationSetup {
  model: DemandModel;
  cluster: Cluster;
  /** Send times, µs from the start of the load, ascending. */
  scheduleUs: Float64Array;
  /** The request of an index in the schedule. */
  requestOf: (request: number) => NamedRequest;
  /** Name of the replication: draws of noise and scheduling are a function of seed and this number. */
  repetition: number;
  generators?: number;
  drainUs: number;
  durationUs: number;
  servedBefore: number;
  /** What happens to the deployment itself: `plannedEvents`. It needs live machines. */
  events?: (() => PlannedEvents) | undefined;
  /** Live machines for all requests, as after an expired deadline. */
  live?: boolean;
}

export interface Replication {
  requests: RequestTable;
  /** By process: the roles in the order of the plan, then the generators. */
  figures: ProcessFigures;
  /** Host of each process. */
  hosts: Int32Array;
  /** The same at the end of the load, before its drain. */
  loadFigures: ProcessFigures;
  /** Whether live machines performed it. */
  isLive: boolean;
  /** Max requests in flight of all generators. */
  inFlightCap: number;
  /** Events of the calendar. */
  events: number;
  /** RTT of completed requests, ascending, µs; unfinished ones are +∞. */
  completedUs(): Float64Array;
  /** The answer of the gateway to a request, with its RTT; undefined while there is none. */
  answerTo(request: number, hashing: Hashing): GatewayAnswer | undefined;
  /** Why a client has no answer: its gateway has crashed. Such a request has an end all the same. */
  failureOf(request: number): 'connection-refused' | 'connection-reset' | undefined;
}

/** Some tens of milliseconds. */
const eventsOfSlice = 100_000;

export class SimulatedDeployment {
  readonly traces: Traces;

  private constructor(
    readonly parts: ScriptParts,
    private readonly seed: number,
  ) {
    this.traces = new Traces(parts);
  }

  /** @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` */
  static async of(graph: Graph, plan: DeploymentPlan, options: SimulatedRolesOptions): Promise<SimulatedDeployment> {
    return new SimulatedDeployment(await scriptParts(simulatedRoles(graph, plan, options)), options.seed);
  }

  /** Builds the rules of changes: a load decides at once. A version has the same rules in all loads. */
  async prepare(changes: readonly TimedRuleChange[]): Promise<void> {
    const { roles, deciders } = this.parts;
    for (const { to, change } of changes.flatMap(({ stages }) => stages.flat())) {
      if (change.rules) await deciders[roles.findIndex(({ name }) => name === to)]?.prepare(change);
    }
  }

  /** Kinds of the roles, in the order of the plan. */
  get kinds(): readonly string[] {
    return this.parts.roles.map(({ kind }) => kind);
  }

  /** @param requests a sample of the load, which states the share of each kind */
  stability(setup: StabilitySetup, requests: readonly NamedRequest[]): Stability {
    return stabilityOf(this.parts, this.traces.demandOf(requests), setup);
  }

  replicate(setup: ReplicationSetup): Replication {
    for (const slices = this.slices(setup); ; ) {
      const { done, value } = slices.next();
      if (done) return value;
    }
  }

  /**
   * The same replication, with pauses in which other work gets its turn.
   * @param pause ends the replication by rejecting
   */
  async replicateWith(setup: ReplicationSetup, pause: () => Promise<void>): Promise<Replication> {
    for (const slices = this.slices(setup); ; ) {
      const { done, value } = slices.next();
      if (done) return value;
      await pause();
    }
  }

  private *slices(setup: ReplicationSetup): Generator<undefined, Replication> {
    const traced = setup.live || setup.events || this.takesTurns ? undefined : yield* this.traced(setup);
    return traced ?? (yield* this.live(setup));
  }

  /** Undefined if a deadline may have expired. */
  private *traced(setup: ReplicationSetup): Generator<undefined, Replication | undefined> {
    const { scheduleUs, requestOf } = setup;
    const traceOf = new Int32Array(scheduleUs.length);
    for (let request = 0; request < traceOf.length; request++) {
      traceOf[request] = this.traces.traceOf(requestOf(request));
    }
    const simulation = new Simulation(this.simulationSetup(setup), this.traces.program(traceOf));
    while (!simulation.run(eventsOfSlice)) yield;
    const { requests, figures, loadFigures = figures, calendar, hosts } = simulation;
    if (requests.longestUs >= this.shortestDeadlineUs) return undefined;
    return {
      ...{
        requests,
        figures,
        hosts,
        loadFigures,
        isLive: false,
        events: calendar.count,
        inFlightCap: this.inFlightCap,
      },
      completedUs: () =>
        completedUs(requests, (request) => this.traces.list[traceOf[request] as number]?.answer.response),
      answerTo: (request, hashing) => {
        return timed(requests, request, this.traces.answerTo(traceOf[request] as number, requestOf(request), hashing));
      },
      failureOf: () => undefined,
    };
  }

  private *live(setup: ReplicationSetup): Generator<undefined, Replication> {
    const { requestOf } = setup;
    const events = setup.events?.();
    const live = new LiveTurns(this.parts, requestOf, events?.faults);
    const simulation = new Simulation(
      this.simulationSetup(setup),
      this.traces.program(new Int32Array(0)),
      live,
      events,
    );
    while (!simulation.run(eventsOfSlice)) yield;
    const { requests, figures, loadFigures = figures, calendar, hosts } = simulation;
    const answerOf = (request: number): GatewayAnswer | undefined => {
      const answer = live.answers[request];
      return typeof answer === 'string' ? undefined : answer;
    };
    return {
      ...{ requests, figures, hosts, loadFigures, isLive: true, events: calendar.count, inFlightCap: this.inFlightCap },
      completedUs: () => completedUs(requests, (request) => answerOf(request)?.response),
      failureOf: (request) => {
        const answer = live.answers[request];
        return typeof answer === 'string' ? answer : undefined;
      },
      answerTo: (request, hashing) => {
        const answer = answerOf(request);
        if (!answer) return undefined;
        const { status, response } = answer;
        const own = requestOf(request);
        const delivered = live.hashing.deliveredOf(response.delivered, own, own, hashing);
        return timed(requests, request, { status, response: { ...response, delivered } });
      },
    };
  }

  /** Callers choose replicas in turn: what happens to a request then depends on those before it. */
  private get takesTurns(): boolean {
    return this.gateway.graph.replicas?.spread === 'round-robin';
  }

  /** Whether live machines may perform a load of this length: a deadline may expire, or replicas take turns. */
  mayBeLive(us: number): boolean {
    return this.takesTurns || us >= this.shortestDeadlineUs;
  }

  /** No deadline of a hop, of a decision or of a request expires earlier after a request has been opened. */
  private get shortestDeadlineUs(): number {
    const role = this.gateway;
    return Math.min(role.deadlines.hopUs, role.deadlines.requestUs) - allMarginsUs(role);
  }

  private get gateway(): SimulatedRole {
    return this.parts.roles[this.parts.gateways[0].process] as SimulatedRole;
  }

  private get inFlightCap(): number {
    return this.gateway.inFlightCap;
  }

  private simulationSetup(setup: ReplicationSetup): SimulationSetup {
    const { model, cluster, scheduleUs, requestOf, repetition, generators = 1, servedBefore } = setup;
    const { parts, seed } = this;
    return {
      ...{ parts, model, cluster, scheduleUs, generators, servedBefore, seed },
      idOf: (request) => requestOf(request).id,
      random: randomStream(seed, 'simulation', repetition),
      inFlightCap: this.inFlightCap,
      durationUs: setup.durationUs,
      horizonUs: setup.durationUs + setup.drainUs,
    };
  }
}

/** @param responseTo without a time; undefined if the gateway never answered */
function completedUs(
  { count, doneUs, openedUs, endedUs, refused }: RequestTable,
  responseTo: (request: number) => GatewayResponse | undefined,
): Float64Array {
  const us = new Float64Array(count);
  let size = 0;
  for (let request = 0; request < count; request++) {
    if (refused[request] === 1) continue;
    const { outcome, pastDeadline } = responseTo(request) ?? {};
    if (Number.isNaN(doneUs[request]) || pastDeadline) us[size++] = Number.POSITIVE_INFINITY;
    else if (outcome === 'completed') us[size++] = (endedUs[request] as number) - (openedUs[request] as number);
  }
  return us.subarray(0, size).sort();
}

function timed(
  requests: RequestTable,
  request: number,
  { status, response }: GatewayAnswer,
): GatewayAnswer | undefined {
  const rttUs = (requests.endedUs[request] as number) - (requests.openedUs[request] as number);
  return Number.isNaN(requests.doneUs[request])
    ? undefined
    : { status, response: { ...response, rttUs: Math.round(rttUs) } };
}
