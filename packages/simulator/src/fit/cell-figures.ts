/** A cell as the fit sees it, and its figures under a demand model. */
import type { CellFigures, DemandModel } from '@topo-bench/core/schema/calibration';
import { quantileOfSorted } from '@topo-bench/stats';
import type { Replication, ReplicationSetup, SimulatedDeployment } from '../simulated-deployment.ts';

export interface ModelledCell {
  deployment: SimulatedDeployment;
  setup: Omit<ReplicationSetup, 'model'>;
}

export interface FitCell extends ModelledCell {
  measured: CellFigures;
  /** Share of the time of the cores that was used, 0 to 1. Near 1, RTT depends on chance more than on demand. */
  busyShare: number;
}

/** @param requests of the schedule to simulate: the first ones; default: all */
export function figuresUnder(cell: ModelledCell, model: DemandModel, requests?: number): CellFigures {
  return figuresOf(cell.deployment, replicationUnder(cell, model, requests));
}

export function replicationUnder(
  { deployment, setup }: ModelledCell,
  model: DemandModel,
  requests = Number.POSITIVE_INFINITY,
): Replication {
  const isCut = requests < setup.scheduleUs.length;
  const scheduleUs = isCut ? setup.scheduleUs.subarray(0, requests) : setup.scheduleUs;
  const durationUs = isCut ? (setup.scheduleUs[requests] as number) : setup.durationUs;
  return deployment.replicate({ ...setup, model, scheduleUs, durationUs });
}

/** How much a replication asks of its processes: what a calibration must cover. */
export interface LoadOnCell {
  /** Turns of the busiest process. */
  turnsPerSecond: number;
  /** Use of all cores, 0 to 1. */
  busyShare: number;
}

export function loadOnCell(
  { deployment, setup }: ModelledCell,
  { loadFigures: { cpuUs, helperUs, turns }, requests }: Replication,
): LoadOnCell {
  const seconds = (setup.scheduleUs[requests.count] ?? setup.durationUs) / 1e6;
  const cores = setup.cluster.hosts.reduce((sum, host) => sum + host.cores, 0);
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  return {
    turnsPerSecond: Math.max(...turns.subarray(0, deployment.kinds.length)) / seconds,
    busyShare: Math.min(1, (sum(cpuUs) + sum(helperUs)) / (cores * seconds * 1e6)),
  };
}

/** RTT of completed requests, as in measured cells; CPU and wait of roles per answered request. */
export function figuresOf({ kinds }: SimulatedDeployment, replication: Replication): CellFigures {
  const { requests, figures } = replication;
  const answered = requests.doneUs.subarray(0, requests.count).filter((us) => !Number.isNaN(us)).length;
  // Ascending; a quantile of requests that never finish has no residual.
  const finished = replication.completedUs().filter(Number.isFinite);
  const at = (q: number): number => quantileOfSorted(finished, q);
  const cpuUsByKind: Record<string, number> = {};
  let waitUs = 0;
  for (const [process, kind] of kinds.entries()) {
    const us = (figures.cpuUs[process] as number) + (figures.helperUs[process] as number);
    cpuUsByKind[kind] = (cpuUsByKind[kind] ?? 0) + us / answered;
    waitUs += (figures.waitUs[process] as number) / answered;
  }
  const cpuUs = Object.values(cpuUsByKind).reduce((sum, us) => sum + us, 0);
  return { q1Us: at(0.25), medianUs: at(0.5), q3Us: at(0.75), p95Us: at(0.95), cpuUs, cpuUsByKind, waitUs };
}
