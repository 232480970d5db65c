/** Parts of a plan that plain processes cannot have: images, which are problems, and limits, which are notices. */
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { RunnerProblem } from '../runner.ts';

const maxNames = 3;

export function checkPlan({ roles }: DeploymentPlan): RunnerProblem[] {
  return roles.flatMap(({ name, userImage }): RunnerProblem[] => {
    if (!userImage) return [];
    return [
      {
        code: 'TB_RUNNER_NEEDS_CONTAINERS',
        message: `"${name}" is the image ${userImage.image}, and the runner "local" starts processes only`,
        hint:
          'start the container yourself and write `url: http://127.0.0.1:PORT` in place of `image`, ' +
          'or give the `command` that it runs',
      },
    ];
  });
}

export function noticesOf({ roles }: DeploymentPlan): string[] {
  const limited = roles.filter(({ limits }) => limits).map(({ name }) => name);
  if (limited.length === 0) return [];
  const more = limited.length - maxNames;
  const names = more > 0 ? `${limited.slice(0, maxNames).join(', ')} and ${more} more` : limited.join(', ');
  return [
    `\`limits\` of ${names} are not applied: the runner "local" starts plain processes, container runners apply them`,
  ];
}
