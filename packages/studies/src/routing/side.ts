/** One of several joint deployments: started, warmed up, watched. */
import type { DeliveryKeys, TopoBenchError } from '@topo-bench/core';
import { deployCell, type SideSetup } from '@topo-bench/measured';
import type { Deployment, Runner } from '@topo-bench/runners';
import type { MeasureContext } from '@topo-bench/trial';
import type { WarmUpRecord } from '../warm-up-record.ts';
import { warmUpDeployment } from './warm-up-deployment.ts';

export interface Side {
  setup: SideSetup;
  deployment: Deployment;
  keys: DeliveryKeys;
  /** Deaths of roles so far; grows during use. */
  deaths: TopoBenchError[];
  warmUp: WarmUpRecord;
  /** Number of loads begun so far. */
  measurements: number;
}

/** @throws TopoBenchError what the runner throws */
export async function startSide(setup: SideSetup, runner: Pick<Runner, 'start'>, signal: AbortSignal): Promise<Side> {
  const { deployment, keys } = await deployCell(setup.cell, { runner, ...setup, signal });
  const deaths: TopoBenchError[] = [];
  deployment.onDeath((error) => deaths.push(error));
  return { setup, deployment, keys, deaths, warmUp: { warm: false }, measurements: 0 };
}

export async function warmUpSide(side: Side, context: MeasureContext): Promise<void> {
  side.warmUp = await warmUpDeployment(side.deployment, side.setup.cell, context);
}
