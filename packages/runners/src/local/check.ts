/** Checks a plan for requirements that this machine lacks: the local runner starts processes only. */
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { RunnerProblem } from '../runner.ts';

export function checkPlan({ roles }: DeploymentPlan): RunnerProblem[] {
  return roles.flatMap(({ name, image }): RunnerProblem[] => {
    if (image === undefined) return [];
    return [
      {
        code: 'TB_RUNNER_NEEDS_CONTAINERS',
        message: `"${name}" is the image ${image}, and the runner "local" starts processes only`,
        hint:
          'start the container yourself and write `url: http://127.0.0.1:PORT` in place of `image`, ' +
          'or give the `command` that it runs',
      },
    ];
  });
}
