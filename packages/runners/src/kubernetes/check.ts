/** Checks a plan for requirements that the cluster lacks: an answering server, rights, and containers that it runs. */
import { TopoBenchError } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import { commandProblems } from '../command-problems.ts';
import type { RunnerProblem } from '../runner.ts';
import { urlProblems } from '../url-problems.ts';
import type { ApiClient } from './api-client.ts';
import { clusterError } from './api-error.ts';
import { missingRights } from './rights.ts';
import { podsReach } from './server-reach.ts';

/** @param connect throws TopoBenchError when there is no cluster to ask */
export async function checkPlan(plan: DeploymentPlan, connect: () => Promise<ApiClient>): Promise<RunnerProblem[]> {
  const images = plan.roles.flatMap(({ name, userImage }): RunnerProblem[] =>
    userImage === undefined ? [] : [imageOfUser(name, userImage.image)],
  );
  const cluster = await clusterProblems(connect);
  const urls = cluster.length > 0 ? [] : await urlProblems(plan, async () => podsReach(await connect()));
  return [...images, ...commandProblems(plan), ...cluster, ...urls];
}

async function clusterProblems(connect: () => Promise<ApiClient>): Promise<RunnerProblem[]> {
  try {
    const api = await connect();
    return await missingRights(api).catch((error) => {
      throw clusterError('read the rights of the user', api.server, error);
    });
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    const { code, message, hint } = error;
    return [{ code, message, ...(hint !== undefined && { hint }) }];
  }
}

function imageOfUser(name: string, image: string): RunnerProblem {
  return {
    code: 'TB_RUNNER_NEEDS_CONTAINERS',
    message: `"${name}" is the image ${image}, and the runner "kubernetes" starts no images of users`,
    hint: 'deploy it yourself and write `url: http://SERVICE.NAMESPACE:PORT` in place of `image`',
  };
}
