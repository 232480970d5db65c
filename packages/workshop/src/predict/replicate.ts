/** Replications of a load on a graph, and their figures. Runs in a browser, and needs no file. */
import type { GatewayRequest, Hashing } from '@topo-bench/core';
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { DeploymentPlan } from '@topo-bench/deployment/deployment-plan';
import { planDeployment } from '@topo-bench/deployment/plan-deployment';
import { type Cluster, type Replication, type ReplicationSetup, SimulatedDeployment } from '@topo-bench/simulator';
import type { ModelledCell } from '@topo-bench/simulator/fit';
import type { Graph } from '@topo-bench/topology/graph';
import { requestGenerator, scheduleUs } from '@topo-bench/workload';
import type { Settings } from './settings.ts';
import { warmUpRequests } from './warm-up.ts';

export interface ReplicationFigures {
  /** Times of requests that no rule refused, ascending; +∞ for one without an end. */
  rttUs: Float64Array;
  /** By process, in the order of the plan: time per time of the load. Above 1: no process can do it. */
  busy: number[];
  /** By machine: processor time per time of the load and core, generators excluded. */
  machineBusy: number[];
  /** Processor time of all roles per request. */
  cpuUs: number;
  /** Means per request. */
  hops: number;
  hopsBetweenNodes: number;
  refused: number;
  exposureBytes: Record<string, number>;
}

type Load = Pick<Settings, 'rate' | 'cores' | 'machines' | 'servedBefore'>;

/** Nothing leaves the worker, so deliveries need no digests. */
export const hashing: Hashing = { digests: () => ({}), pseudonym: () => '' };

export const seed = 1;
const drainUs = 60e6;
/** Requests of a replication: enough for a p95, few enough for a first answer within 100 ms. */
const maxRequests = 160;
const minRequests = 40;
const requestsTimesServices = 2400;

function requestsOf(services: number): number {
  return Math.min(maxRequests, Math.max(minRequests, Math.round(requestsTimesServices / services)));
}

/** The machines of a graph under these settings. */
function clusterOf(nodes: number, { cores, machines }: Load): Cluster {
  const each = Array.from({ length: nodes }, (_, node) => node);
  return machines === 'one'
    ? { hosts: [{ name: 'machine', cores, speed: 1 }], hostOfNode: each.map(() => 0) }
    : { hosts: each.map((node) => ({ name: `machine ${node + 1}`, cores, speed: 1 })), hostOfNode: each };
}

/** A graph that is ready for replications of any load. */
export interface Replicator {
  graph: Graph;
  plan: DeploymentPlan;
  /** The load of the replication of that number. */
  cellOf(load: Load, repetition: number): ModelledCell;
  /**
   * Performs it.
   * @param pause called between slices; ends the replication by rejecting
   * @param eventsOf events of a load of that length, and how long they are awaited; default: until the load ends
   */
  perform(
    load: Load,
    model: DemandModel,
    repetition: number,
    pause: () => Promise<void>,
    eventsOf?: (durationUs: number) => Pick<ReplicationSetup, 'events'> & { durationUs?: number },
  ): Promise<{ replication: Replication; setup: ModelledCell['setup'] }>;
  /** Its figures. */
  replicate(
    load: Load,
    model: DemandModel,
    repetition: number,
    pause: () => Promise<void>,
  ): Promise<ReplicationFigures>;
}

/** @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` */
export async function replicatorOf(graph: Graph): Promise<Replicator> {
  const plan = planDeployment(graph);
  const deployment = await SimulatedDeployment.of(graph, plan, { seed });
  const cellOf: Replicator['cellOf'] = (load, repetition) => {
    const cluster = clusterOf(graph.nodes.length, load);
    const durationUs = (requestsOf(graph.services.length) / load.rate) * 1e6;
    const generate = requestGenerator({ classes: graph.requestClasses, seed, repetition });
    const drawn: (GatewayRequest & { id: string })[] = [];
    const requestOf = (index: number): GatewayRequest & { id: string } => {
      drawn[index] ??= { ...generate(index), id: String(index) };
      return drawn[index];
    };
    const schedule = { arrivals: 'poisson' as const, rateRps: load.rate, durationUs, seed, repetition, urls: [''] };
    const servedBefore = load.servedBefore ?? warmUpRequests;
    return {
      deployment,
      setup: {
        ...{ cluster, requestOf, repetition, durationUs, drainUs, servedBefore },
        scheduleUs: scheduleUs(schedule),
      },
    };
  };
  const perform: Replicator['perform'] = async (load, model, repetition, pause, eventsOf) => {
    const { setup } = cellOf(load, repetition);
    const events = eventsOf?.(setup.durationUs);
    return { setup, replication: await deployment.replicateWith({ ...setup, model, ...events }, pause) };
  };
  const replicate: Replicator['replicate'] = async (load, ...others) => {
    const {
      replication,
      setup: { cluster, durationUs },
    } = await perform(load, ...others);
    const machineOf = plan.roles.map(({ node }) => cluster.hostOfNode[node] as number);
    return figuresOf(replication, { durationUs, cores: load.cores, machineOf, machines: cluster.hosts.length });
  };
  return { graph, plan, cellOf, perform, replicate };
}

interface Setting {
  durationUs: number;
  cores: number;
  machineOf: readonly number[];
  machines: number;
}

function figuresOf(replication: Replication, { durationUs, cores, machineOf, machines }: Setting): ReplicationFigures {
  const { requests, figures } = replication;
  const totals = { hops: 0, hopsBetweenNodes: 0, refused: 0, exposureBytes: {} as Record<string, number> };
  const rttUs: number[] = [];
  for (let request = 0; request < requests.count; request++) {
    const { response } = replication.answerTo(request, hashing) ?? {};
    if (response?.outcome !== 'refused') rttUs.push(response?.rttUs ?? Number.POSITIVE_INFINITY);
    if (!response) continue;
    totals.hops += response.hops;
    totals.hopsBetweenNodes += response.hopsBetweenNodes;
    if (response.outcome === 'refused') totals.refused++;
    for (const [category, bytes] of Object.entries(response.exposureBytes)) {
      totals.exposureBytes[category] = (totals.exposureBytes[category] ?? 0) + bytes;
    }
  }
  const usedUs = machineOf.map((_, process) => (figures.cpuUs[process] ?? 0) + (figures.helperUs[process] ?? 0));
  const perMachine = Array<number>(machines).fill(0);
  for (const [process, us] of usedUs.entries()) perMachine[machineOf[process] as number]! += us;
  const count = Math.max(1, requests.count);
  return {
    rttUs: Float64Array.from(rttUs).sort(),
    busy: machineOf.map((_, process) => (figures.cpuUs[process] ?? 0) / durationUs),
    machineBusy: perMachine.map((us) => us / (durationUs * cores)),
    cpuUs: usedUs.reduce((sum, us) => sum + us, 0) / count,
    hops: totals.hops / count,
    hopsBetweenNodes: totals.hopsBetweenNodes / count,
    refused: totals.refused / count,
    exposureBytes: Object.fromEntries(
      Object.entries(totals.exposureBytes).map(([category, bytes]) => [category, bytes / count]),
    ),
  };
}
