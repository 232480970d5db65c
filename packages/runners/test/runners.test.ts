import { runnerNames } from '@topo-bench/core';
import { experimentFile } from '@topo-bench/core/schema/experiment';
import type { DeploymentPlan, RolePlan } from '@topo-bench/deployment';
import { describe, expect, test } from 'vitest';
import { commandProblems } from '../src/command-problems.ts';
import { createRunner, noticesOf, type Runner, type RunnerProblem, requireRunner, runners } from '../src/index.ts';

const planWith = (...images: string[]): DeploymentPlan => ({
  roles: images.map((image, at) => ({
    name: `svc-${at + 1}`,
    kind: 'service',
    node: 0,
    responsibleFor: [at],
    peers: [],
    userImage: { kind: 'image', image, port: 8080, env: {}, path: '/', readyWithinUs: 1e6 },
  })),
  executorOf: [],
});

describe('the registry', () => {
  test('has the runners that an experiment can name, and the default is one of them', () => {
    expect(Object.keys(runners)).toEqual(runnerNames);
    const required = { apiVersion: 'topo-bench/v1', kind: 'Experiment', name: 'x', topology: 't.yaml' };
    const { runner } = experimentFile().parse(required);
    expect(runners).toHaveProperty(runner);
    expect(experimentFile().safeParse({ ...required, runner: 'ship' }).success).toBe(false);
  });
});

describe('the check of the local runner', () => {
  test('rejects each container image, with the ways out', async () => {
    const local = await createRunner('local', { serviceEntry: '' });
    expect(await local.check(planWith('shop/pricing:2', 'shop/stock:1'))).toEqual([
      {
        code: 'TB_RUNNER_NEEDS_CONTAINERS',
        message: '"svc-1" is the image shop/pricing:2, and the runner "local" starts processes only',
        hint: expect.stringMatching(/write `url: http:\/\/127\.0\.0\.1:PORT` in place of `image`/),
      },
      expect.objectContaining({ message: expect.stringContaining('shop/stock:1') }),
    ]);
    expect(await local.check(planWith())).toEqual([]);
  });
});

describe('the check of runners in containers', () => {
  test('rejects a command of this machine, with the ways out', () => {
    const [role] = planWith('').roles;
    const { userImage: _, ...command } = { ...(role as RolePlan), userCommand: 'node server.js' };
    expect(commandProblems({ roles: [command], executorOf: [] })).toEqual([
      {
        code: 'TB_RUNNER_CANNOT_START',
        message: '"svc-1" is the command "node server.js" of this machine, which no container has',
        hint: expect.stringContaining('`image` in place of `command`'),
      },
    ]);
    expect(commandProblems(planWith('shop/pricing:2'))).toEqual([]);
  });
});

describe('the local runner and limits', () => {
  const limitedPlan = (count: number): DeploymentPlan => ({
    roles: planWith(...Array<string>(count).fill('')).roles.map((role) => ({ ...role, limits: { cpus: 0.5 } })),
    executorOf: [],
  });

  test('it deploys a plan with limits, and names the roles that run without them', async () => {
    const local = await createRunner('local', { serviceEntry: '' });
    expect(await local.notices?.(limitedPlan(2))).toEqual([
      '`limits` of svc-1, svc-2 are not applied: the runner "local" starts plain processes, container runners apply them',
    ]);
    expect(await noticesOf(local, [limitedPlan(5), limitedPlan(5)])).toEqual([
      expect.stringContaining('svc-1, svc-2, svc-3 and 2 more'),
    ]);
    expect(await noticesOf(local, [planWith('shop/pricing:2')])).toEqual([]);
  });
});

describe('a runner that lacks something', () => {
  const problems: RunnerProblem[] = [
    { code: 'TB_RUNNER_CANNOT_START', message: 'no engine', hint: 'install one' },
    { code: 'TB_RUNNER_NO_RESOURCES', message: 'no memory' },
  ];
  const lacking: Runner = { check: async () => problems, start: () => Promise.reject(new Error('it started')) };

  test('is rejected with the code and hint of the first problem and the messages of all, each once', async () => {
    const error = await requireRunner(lacking, [planWith(), planWith()]).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 'TB_RUNNER_CANNOT_START',
      message: 'no engine\nno memory',
      hint: 'install one',
      exitCode: 3,
    });
  });

  test('is rejected for no plan that it can deploy', async () => {
    await expect(requireRunner({ ...lacking, check: async () => [] }, [planWith()])).resolves.toBeUndefined();
  });
});
