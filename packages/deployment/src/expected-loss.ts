/**
 * Model of the requests that crashes cost: each that needs a role while it is down, and those in its hands as it
 * crashes. `docs/crash-study.md` derives it.
 */
import type { Style } from '@topo-bench/core/schema/topology';

/** A step of a request: the role that executes it, and its service where that receives the data. */
export interface NeededStep {
  executor: string;
  service?: string;
  /** Mean service time. */
  workUs: number;
}

/** Requests that enter at the same gateway and take the same steps, in the order of the flow. */
export interface RequestKind {
  /** A part of all requests, 0…1. */
  share: number;
  /** Name of the role. */
  gateway: string;
  steps: readonly NeededStep[];
}

/** A role that serves nothing from a crash until it has started again. */
export interface Downtime {
  role: string;
  fromUs: number;
  /** +∞ for a role that stays down. */
  toUs: number;
}

export interface LoadOfModel {
  rateRps: number;
  durationUs: number;
  style: Style;
  kinds: readonly RequestKind[];
}

/**
 * Expected number of requests that are not served, for each downtime in order. A request that needs two roles which are
 * down counts for the one that crashed first.
 */
export function expectedLoss(downtimes: readonly Downtime[], load: LoadOfModel): number[] {
  const expected = downtimes.map(() => 0);
  const inOrder = [...downtimes.keys()].sort((a, b) => fromOf(downtimes, a) - fromOf(downtimes, b));
  for (const kind of load.kinds) {
    let coveredUs = 0;
    for (const index of inOrder) {
      const { role, fromUs, toUs } = downtimes[index] as Downtime;
      if (!needs(role, kind)) continue;
      const isAlone = fromUs >= coveredUs;
      const endUs = Math.min(toUs, load.durationUs);
      const lostUs = Math.max(0, endUs - Math.max(fromUs, coveredUs)) + (isAlone ? heldUs(role, kind, load.style) : 0);
      expected[index] = (expected[index] as number) + (load.rateRps * kind.share * lostUs) / 1e6;
      coveredUs = Math.max(coveredUs, endUs);
    }
  }
  return expected;
}

function fromOf(downtimes: readonly Downtime[], index: number): number {
  return downtimes[index]?.fromUs ?? 0;
}

function needs(role: string, { gateway, steps }: RequestKind): boolean {
  return role === gateway || steps.some(({ executor, service }) => executor === role || service === role);
}

/**
 * Time for which a request is in the hands of a role: the work that it does or waits for. The gateway has it to the
 * end, and in nested style so has each executor from its first step.
 */
function heldUs(role: string, { gateway, steps }: RequestKind, style: Style): number {
  const sum = (some: readonly NeededStep[]): number => some.reduce((total, { workUs }) => total + workUs, 0);
  if (role === gateway) return sum(steps);
  const first = steps.findIndex(({ executor }) => executor === role);
  if (first >= 0 && style === 'nested') return sum(steps.slice(first));
  return sum(steps.filter(({ executor, service }) => executor === role || service === role));
}
