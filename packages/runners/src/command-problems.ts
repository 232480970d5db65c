/** Services that are commands of this machine, for runners in containers: an image has none of their files. */
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { RunnerProblem } from './runner.ts';

export function commandProblems({ roles }: DeploymentPlan): RunnerProblem[] {
  return roles.flatMap(({ name, userCommand }): RunnerProblem[] => {
    if (userCommand === undefined) return [];
    return [
      {
        code: 'TB_RUNNER_CANNOT_START',
        message: `"${name}" is the command ${JSON.stringify(userCommand)} of this machine, which no container has`,
        hint: 'build an image of it and write `image` in place of `command`, or use --runner local',
      },
    ];
  });
}
