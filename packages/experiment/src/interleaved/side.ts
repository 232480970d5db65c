/** One of several deployments that stand together: started, warmed up, watched. */

import { randomBytes } from 'node:crypto';
import type { DeliveryKeys, TopoBenchError } from '@topo-bench/core';
import { deliveryKeys, roleConfigs } from '@topo-bench/deployment';
import type { Deployment, Runner } from '@topo-bench/runners';
import { type ExperimentCell, inFlightCap } from '../build-cell.ts';
import type { MeasureContext } from '../laboratory.ts';
import { type WarmUpRecord, warmUpDeployment } from '../warm-up-deployment.ts';

/** What a side deploys, and where its roles log. */
export interface Seat {
  /** Any cell of the deployment. */
  cell: ExperimentCell;
  logsDir: string;
  /** Share of requests whose hops are traced, 0 to 1. */
  traceShare: number;
}

export interface Side {
  seat: Seat;
  deployment: Deployment;
  keys: DeliveryKeys;
  /** Grows while it is used. */
  deaths: TopoBenchError[];
  warmUp: WarmUpRecord;
  /** Begun so far. */
  measurements: number;
}

/** @throws TopoBenchError what the runner throws */
export async function startSide(seat: Seat, runner: Runner, signal: AbortSignal): Promise<Side> {
  const { graph, plan, settings } = seat.cell;
  const secret = randomBytes(32).toString('base64url');
  const configs = roleConfigs({
    graph,
    plan,
    seed: settings.seed,
    secret,
    traceShare: seat.traceShare,
    inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
  });
  const deployment = await runner.start(configs, { logsDir: seat.logsDir, signal });
  const deaths: TopoBenchError[] = [];
  deployment.onDeath((error) => deaths.push(error));
  return { seat, deployment, keys: deliveryKeys(secret), deaths, warmUp: { warm: false }, measurements: 0 };
}

export async function warmUpSide(side: Side, context: MeasureContext): Promise<void> {
  side.warmUp = await warmUpDeployment(side.deployment, side.seat.cell, context);
}
