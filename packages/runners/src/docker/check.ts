/**
 * Checks that an engine answers, and that the plan has no service that only this machine can start, or that containers
 * do not reach. Notices name what this engine makes different.
 */
import { type Engine, serverReach } from '@topo-bench/containers';
import { isLoopback, TopoBenchError } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import { commandProblems } from '../command-problems.ts';
import type { RunnerProblem } from '../runner.ts';
import { urlProblems } from '../url-problems.ts';
import { cpuSetsOf } from './cpu-sets.ts';

export async function checkPlan(
  plan: DeploymentPlan,
  connect: () => Promise<Engine>,
  context?: string,
): Promise<RunnerProblem[]> {
  const engine = await engineProblems(connect);
  const urls = engine.length > 0 ? [] : await urlProblems(plan, async () => serverReach(await connect(), context));
  return [...commandProblems(plan), ...engine, ...urls];
}

export function noticesOf(plan: DeploymentPlan, { facts, publishedHost }: Engine): string[] {
  const { notice } = cpuSetsOf(plan, facts);
  const open = `the port of the gateway is open on all addresses of ${publishedHost}, and needs no token: keep others away from that machine with a firewall`;
  return [
    ...(notice === undefined ? [] : [notice]),
    ...(isLoopback(publishedHost) || (facts.local && !facts.rootless) ? [] : [open]),
  ];
}

async function engineProblems(connect: () => Promise<Engine>): Promise<RunnerProblem[]> {
  try {
    await connect();
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    const { code, message, hint } = error;
    return [{ code, message, ...(hint !== undefined && { hint }) }];
  }
  return [];
}
