/**
 * Estimates the time of a repetition from its processes and hops; finished repetitions correct it. The error is a
 * factor of two before the run, and some percent in its second round.
 */
import { plannedHops } from '@topo-bench/deployment';
import type { ExperimentCell } from '@topo-bench/trial';

export interface RepetitionSize {
  processes: number;
  /** Hops of one request; its CPU cost is proportional to them. */
  hops: number;
  /** Undefined for the closed model. */
  rateRps: number | undefined;
  durationUs: number;
  drainUs: number;
  warmupRequests: number;
  warmupWindowUs: number;
  warmupMaxUs: number;
  cores: number;
}

/**
 * The size of requests at a rate.
 * @param cores of the hosts of its roles
 */
export function repetitionSize({ settings, graph, plan }: ExperimentCell, cores: number): RepetitionSize {
  const { load, warmup, duration, drain } = settings;
  return {
    processes: plan.roles.length,
    hops: plannedHops(graph, plan).perRequest,
    rateRps: load.driver === 'open' ? load.rate : undefined,
    durationUs: duration,
    drainUs: drain,
    warmupRequests: warmup.requests,
    warmupWindowUs: warmup.window,
    warmupMaxUs: warmup.max,
    cores,
  };
}

/** Measured on two cores of an ordinary server with Node.js 20; a laptop is within a factor of two. */
const hopsPerCoreSecond = 2500;
const startupSecondsPerProcess = 0.05;
/** Reset, collect and check of one load. */
export const loadOverheadSeconds = 0.5;

/** Seconds to deploy and warm up once. */
export function estimateDeploySeconds(size: RepetitionSize): number {
  const start = 1 + (size.processes * startupSecondsPerProcess * 2) / size.cores;
  if (size.warmupMaxUs === 0) return start;
  // Every request passes every process once, so the requests per process are the requests to send.
  const served = (size.warmupRequests * size.hops) / capacity(size);
  const settled = (3 * size.warmupWindowUs) / 1e6;
  return start + Math.min(Math.max(served, settled) + settled, size.warmupMaxUs / 1e6);
}

/** Seconds of load and drain: above the capacity of a machine, the drain works off the backlog. */
export function estimateLoadSeconds(size: RepetitionSize): number {
  const load = size.durationUs / 1e6;
  const demand = ((size.rateRps ?? 0) * size.hops) / capacity(size);
  return loadOverheadSeconds + load + Math.min(load * Math.max(0, demand - 1), size.drainUs / 1e6);
}

/** Upper bound in seconds of load and drain, and of one deployment with its warm-up. */
export function maxSeconds(size: RepetitionSize): { deploy: number; load: number } {
  return {
    deploy: estimateDeploySeconds(size) + size.warmupMaxUs / 1e6,
    load: (size.durationUs + size.drainUs) / 1e6 + 1,
  };
}

function capacity({ cores }: RepetitionSize): number {
  return cores * hopsPerCoreSecond;
}
