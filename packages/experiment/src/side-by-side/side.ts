/** One of several deployments that stand side by side: started, warmed up, watched. */
import { randomBytes } from 'node:crypto';
import type { DeliveryKeys, TopoBenchError } from '@topo-bench/core';
import type { Deployment, Runner } from '@topo-bench/runners';
import { deliveryKeys, roleConfigs } from '@topo-bench/services/role-configs';
import { type ExperimentCell, inFlightCap } from '../build-cell.ts';
import type { MeasureContext } from '../laboratory.ts';
import { warmUpDeployment } from '../warm-up-deployment.ts';

/** What is to stand on a side, and where its roles log. */
export interface Seat {
  cell: ExperimentCell;
  logsDir: string;
}

export interface Side {
  cell: ExperimentCell;
  deployment: Deployment;
  keys: DeliveryKeys;
  /** Grows while it is used. */
  deaths: TopoBenchError[];
  /** Whether the warm-up settled. */
  warm: boolean;
}

/** @throws TopoBenchError what the runner throws */
export async function startSide({ cell, logsDir }: Seat, runner: Runner, signal: AbortSignal): Promise<Side> {
  const { graph, plan, settings } = cell;
  const secret = randomBytes(32).toString('base64url');
  const configs = roleConfigs({
    graph,
    plan,
    seed: settings.seed,
    secret,
    traceShare: 0,
    inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
  });
  const deployment = await runner.start(configs, { logsDir, signal });
  const deaths: TopoBenchError[] = [];
  deployment.onDeath((error) => deaths.push(error));
  return { cell, deployment, keys: deliveryKeys(secret), deaths, warm: false };
}

export async function warmUpSide(side: Side, context: MeasureContext): Promise<void> {
  side.warm = await warmUpDeployment(side.deployment, side.cell, context);
}
