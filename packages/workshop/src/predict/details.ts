/**
 * What follows the figures of all replications: how far they may be off, what happens when a part dies, and how long a
 * change of rules takes.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { CalibrationUncertainty } from '@topo-bench/core/schema/result';
import { relativeUncertainty, uncertaintyAround } from '@topo-bench/simulator/fit';
import { type LostRequests, lostRequests } from './lost-requests.ts';
import type { PredictedCell } from './predicted-cell.ts';
import type { Replicator } from './replicate.ts';
import { type RuleChangeTime, ruleChangeTime } from './rule-change.ts';
import type { Settings } from './settings.ts';

export interface Details {
  architecture: string;
  /** Intervals with the error of the calibration; absent without a fit, and on other machines than the fitted one. */
  uncertainty?: CalibrationUncertainty;
  lost: LostRequests | NotSimulated;
  ruleChange: RuleChangeTime | NotSimulated;
}

export interface NotSimulated {
  why: string;
}

/** Events run the machines of the roles, which takes many times as long as a trace. */
const maxServices = 100;

/** @param cell with all replications */
export async function detailsOf(
  cell: PredictedCell,
  replicator: Replicator,
  { settings, calibration }: { settings: Settings; calibration: Calibration },
  pause: () => Promise<void>,
): Promise<Details> {
  const { graph, plan } = replicator;
  const { architecture, state } = cell;
  const points = plan.roles.filter(({ kind }) => kind !== 'gateway' && kind !== 'service');
  const uncertainty = await uncertaintyOf(cell, replicator, settings, calibration, pause);
  const stated = { architecture, ...(uncertainty && { uncertainty }) };
  const why =
    state !== 'stable'
      ? 'does not keep up'
      : points.length === 0
        ? 'nothing enforces'
        : graph.services.length > maxServices && `not simulated above ${maxServices} services`;
  if (why) return { ...stated, lost: { why }, ruleChange: { why } };
  const { demand } = calibration;
  return {
    ...stated,
    lost: await orWhy(lostRequests(replicator, points, settings, demand, pause)),
    ruleChange: await orWhy(ruleChangeTime(replicator, settings, demand, pause)),
  };
}

async function uncertaintyOf(
  { median, p95, cpuUs, hops }: PredictedCell,
  { cellOf }: Replicator,
  settings: Settings,
  { demand, cores, fit }: Calibration,
  pause: () => Promise<void>,
): Promise<CalibrationUncertainty | undefined> {
  const cell = cellOf(settings, 1);
  const { hosts } = cell.setup.cluster;
  if (!fit || !median || !p95 || hosts.length > 1 || settings.cores !== cores) return undefined;
  const relative = await relativeUncertainty(cell, { demand, fit }, hops, pause);
  return uncertaintyAround(relative, { medianUs: median.value, p95Us: p95.value, cpuUs });
}

/** The other figures stand without this one. */
function orWhy<Found>(figure: Promise<Found>): Promise<Found | NotSimulated> {
  return figure.catch((error: unknown) => {
    if (!(error instanceof TopoBenchError)) throw error;
    return { why: `not simulated: ${error.message}` };
  });
}
