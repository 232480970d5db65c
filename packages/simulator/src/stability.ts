/**
 * Whether a deployment bears a rate, without a simulation: the demand of each process and host as a share of what it
 * has. Sums over the traces are exact. Two parts of the model depend on how long a process sleeps: wake-ups and cold
 * demand. They follow from its own busy share ρ, as if its turns came at random: a turn finds it asleep with
 * probability 1 − ρ, after a time of which e^(−t/τ) has the mean λτ ÷ (1 + λτ). At ρ = 1 both are 0. The work of others
 * in that time is a share of it, their part of the busy share of the host, so that 1/τ grows by this share ÷ τo. No
 * message waits at the begin of a turn with probability 1 − ρ², as in M/M/1: then the process goes to sleep after it.
 */

import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { Prediction } from '@topo-bench/core/schema/result';
import type { Cluster } from './cluster.ts';
import { Demand } from './engine/demand.ts';
import { hostsOf } from './engine/event-loops.ts';
import type { ScriptParts } from './script/deployment-script.ts';
import { workKinds } from './script/operations.ts';
import type { TraceDemand } from './trace-demand.ts';

export interface StabilitySetup {
  model: DemandModel;
  cluster: Cluster;
  rateRps: number;
  generators: number;
  servedBefore: number;
  /** Length of the load: compilers make a process faster while it lasts. */
  durationUs: number;
}

/** From this busy share on, quantiles depend on chance more than on the system. */
const nearCapacity = 0.85;

export function stateOf(busyShare: number): Prediction['state'] {
  return busyShare > 1 ? 'unstable' : busyShare > nearCapacity ? 'near-capacity' : 'stable';
}

export type Stability = Pick<Prediction, 'state' | 'bottleneck' | 'maxRps' | 'hosts'>;

/** The demand of a mean request at a process, µs. */
interface ProcessDemand {
  name: string;
  host: number;
  /** Share of the requests that it sees: less than 1 for one of several generators. */
  share: number;
  turns: number;
  /** Work and pauses. */
  fixedUs: number;
  /** Operations, and a wake-up, at the speed of the host. */
  operationsUs: number;
  wakeUs: number;
  sleepUs: number;
  helperShare: number;
  cold: DemandModel['cold'];
}

export function stabilityOf(parts: ScriptParts, demand: TraceDemand, setup: StabilitySetup): Stability {
  const processes = demandsOf(parts, demand, setup);
  const { hosts } = setup.cluster;
  const shareOfHost = (at: number, own: number): number => {
    const { host, helperShare } = processes[at] as ProcessDemand;
    return (own * (1 + helperShare)) / (hosts[host] as { cores: number }).cores;
  };
  /** @param others share of its host that other processes take, by process */
  const sharesWith = (rateRps: number, others: readonly number[]) => {
    const own = processes.map((process, at) => busyShare(process, rateRps, Math.min(1, others[at] as number)));
    const ofHost = hosts.map(() => 0);
    for (const [at, { host }] of processes.entries()) (ofHost[host] as number) += shareOfHost(at, own[at] as number);
    return { own, ofHost };
  };
  // The work of others makes processes slower, and so grows itself, by less in each round.
  const sharesAt = (rateRps: number) => {
    let others = processes.map(() => 0);
    let shares = sharesWith(rateRps, others);
    for (let round = 1; round < 5; round++) {
      const { own, ofHost } = shares;
      others = processes.map(({ host }, at) => (ofHost[host] as number) - shareOfHost(at, own[at] as number));
      shares = sharesWith(rateRps, others);
    }
    return shares;
  };
  const highest = (rateRps: number): number => {
    const { own, ofHost } = sharesAt(rateRps);
    return Math.max(...own, ...ofHost);
  };
  const { own, ofHost } = sharesAt(setup.rateRps);
  const stations = [
    ...processes.map(({ name }, at) => ({ kind: 'process' as const, name, busyShare: own[at] as number })),
    ...hosts.map(({ name }, at) => ({ kind: 'host' as const, name, busyShare: ofHost[at] as number })),
  ];
  const bottleneck = stations.reduce((most, station) => (station.busyShare > most.busyShare ? station : most));
  return {
    state: stateOf(bottleneck.busyShare),
    bottleneck,
    maxRps: rateWith(highest),
    hosts: Object.fromEntries(hosts.map(({ name }, at) => [name, ofHost[at] as number])),
  };
}

function demandsOf(
  parts: ScriptParts,
  { turns, served, operations, bytes, work }: TraceDemand,
  { model, cluster, rateRps, generators, servedBefore, durationUs }: StabilitySetup,
): ProcessDemand[] {
  const { roles } = parts;
  const [kinds, rows] = [workKinds.length, turns.length];
  const hosts = hostsOf(parts, cluster, roles.length + generators);
  const costs = new Demand(model, roles, rows, 0);
  const services = roles[0]?.graph.services ?? [];
  const { collections, stops } = model.pauses;
  const pauseUs = collections.probability * collections.meanUs + stops.probability * stops.meanUs;
  return hosts.map((host, process): ProcessDemand => {
    const row = Math.min(process, roles.length);
    const role = roles[process];
    const requests = ((rateRps * durationUs) / 1e6) * (served[row] as number);
    const factor = (1 + (role ? meanWarmth(model, servedBefore, requests) : 0)) / (cluster.hosts[host]?.speed ?? 1);
    let operationsUs = 0;
    for (let kind = 0; kind < kinds; kind++) {
      const count = operations[row * kinds + kind] as number;
      if (count > 0)
        operationsUs += count * costs.operationUs(row, kind, (bytes[row * kinds + kind] as number) / count);
    }
    const workUs = services.reduce(
      (sum, { work: { meanUs } }, at) => sum + (work[at * rows + row] as number) * meanUs,
      0,
    );
    return {
      name: role?.name ?? (generators === 1 ? 'generator' : `generator ${process - roles.length + 1}`),
      ...{ host, share: role ? 1 : 1 / generators, turns: turns[row] as number },
      fixedUs: workUs + (role ? (turns[row] as number) * pauseUs : 0),
      operationsUs: operationsUs * factor,
      wakeUs: model.wake.us * factor,
      sleepUs: (role ? model.wake.sleepUs : 0) * factor,
      helperShare: role ? model.helpers.share : 0,
      cold: role ? model.cold : { factor: 0, overUs: 1, overWorkUs: 1 },
    };
  });
}

/** Mean of warmth · e^(−served/τ) over the requests of a load. */
function meanWarmth({ warmth: { factor, requests: tau } }: DemandModel, before: number, count: number): number {
  const first = Math.exp(-before / tau);
  return factor * (count === 0 ? first : (first * (1 - Math.exp(-count / tau)) * tau) / count);
}

/**
 * Busy share of an event loop; above 1 where it needs more than it has.
 * @param othersShare share of its host that other processes take
 */
function busyShare(
  { share, turns, fixedUs, operationsUs, wakeUs, sleepUs, cold }: ProcessDemand,
  rateRps: number,
  othersShare: number,
): number {
  const perUs = (rateRps * share) / 1e6;
  const overUs = 1 / (1 / cold.overUs + othersShare / cold.overWorkUs);
  const coldFactor = cold.factor / (1 + perUs * turns * overUs);
  const demandAt = (busy: number): number => {
    const asleep = Math.max(0, 1 - busy);
    const alone = Math.max(0, 1 - busy ** 2);
    const ownUs = operationsUs + turns * (wakeUs * asleep + sleepUs * alone);
    return perUs * (fixedUs + ownUs * (1 + coldFactor * asleep));
  };
  // The demand falls with the share, so both meet once.
  let [low, high] = [demandAt(1), Math.max(1, demandAt(0))];
  if (low >= 1) return low;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (demandAt(middle) > middle) low = middle;
    else high = middle;
  }
  return high;
}

/** The rate at which the busiest station has no reserve. */
function rateWith(highest: (rateRps: number) => number): number {
  let [low, high] = [0, 1];
  while (highest(high) < 1 && high < 1e9) high *= 2;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (highest(middle) > 1) high = middle;
    else low = middle;
  }
  return low;
}
