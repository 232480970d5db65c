/** One of several joint deployments: started, warmed up, watched. */
import { type DeliveryKeys, TopoBenchError } from '@topo-bench/core';
import { type DeployOptions, deployCell, type SideSetup } from '@topo-bench/measured';
import type { Deployment } from '@topo-bench/runners';
import type { WarmUpRecord } from '@topo-bench/study-kit/warm-up-record';
import type { MeasureContext, SideName } from '@topo-bench/trial';
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
export async function startSide(
  setup: SideSetup,
  options: Pick<DeployOptions, 'runner' | 'profile' | 'signal'>,
): Promise<Side> {
  const { side } = setup.cell;
  const { deployment, keys } = await deployCell(setup.cell, { ...setup, ...options });
  const deaths: TopoBenchError[] = [];
  deployment.onDeath((error) => deaths.push(verdictOn(side, error)));
  return { setup, deployment, keys, deaths, warmUp: { warm: false }, measurements: 0 };
}

/** The error of a side of a gate: a service of the user that does not run there is a verdict on that side. */
export function verdictOn<E>(side: SideName | undefined, error: E): E | TopoBenchError {
  if (!side || !(error instanceof TopoBenchError) || error.code !== 'TB_USER_SERVICE') return error;
  const code = side === 'candidate' ? 'TB_GATE_CANDIDATE' : 'TB_GATE_NO_BASELINE';
  const { message, hint } = error;
  return new TopoBenchError(code, `the ${side} does not run: ${message}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
  });
}

export async function warmUpSide(side: Side, context: MeasureContext): Promise<void> {
  side.warmUp = await warmUpDeployment(side.deployment, side.setup.cell, context);
}
