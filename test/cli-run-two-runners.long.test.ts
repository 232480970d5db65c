/** The runner as a factor on the command line: choices, missing engines, and both runners of one run compared. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });

const folder = temporaryFolder();
writeSmallFiles(folder, (name, text) =>
  name === 'experiment.yaml' ? text.replace('[central-entity, sidecar]', '[sidecar]\n  runner: [local, docker]') : text,
);
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  topoBench(['run', 'experiment.yaml', ...args], { cwd: folder, env });

describe('an experiment whose factors contain the runner', () => {
  it('is not run on the runner of a flag', async () => {
    const { code, stderr } = await run(['--runner', 'docker', '--out', 'flag']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--runner docker: the runner is a factor of experiment.yaml, with the levels local, docker',
    );
    expect(stderr).toContain('hint: choose among its levels: --only runner=docker');
    expect(existsSync(join(folder, 'flag'))).toBe(false);
  });

  it('starts nothing without one of its engines, and prints how to leave that out', async () => {
    const nobody = `unix://${join(folder, 'no-engine.sock')}`;
    const { code, stderr } = await run(['--out', 'missing'], { DOCKER_HOST: nobody });
    expect(code).toBe(3);
    expect(stderr).toMatch(/error TB_\w+: runner docker: .*no-engine\.sock/);
    expect(stderr).toContain('leave it out with --only runner=local');
    expect(existsSync(join(folder, 'missing'))).toBe(false);

    const { code: withoutIt } = await run(['--only', 'runner=local', '--out', 'local', '--json'], {
      DOCKER_HOST: nobody,
    });
    expect(withoutIt).toBe(0);
  });
});

const docker = await dockerOrSkip();

describe.skipIf(docker.missing)(`processes and containers in one run${docker.why}`, () => {
  it('have the same cells, and the cost of each is compared', async () => {
    const out = join(folder, 'both');
    const { cells } = await measuredRun(run(['--out', out, '--json', '--set', 'load.rate=20']));
    expect(cells.map(({ factors }) => [factors.architecture, factors.runner]).sort()).toEqual([
      ['sidecar', 'docker'],
      ['sidecar', 'local'],
    ]);
    for (const { decisions, deployment, outcomes } of cells) {
      expect([decisions.wrong, outcomes.error]).toEqual([0, 0]);
      expect(deployment?.readyMs).toBeGreaterThan(0);
      expect(deployment?.stopMs).toBeGreaterThan(0);
      // Five processes of Node.js, each far above 10 MiB of its own.
      expect(deployment?.memoryBytes).toBeGreaterThan(5 * 10 * 2 ** 20);
    }
    const compared = await topoBench(['compare', out, '--within', 'runner', '--metric', 'ready', '--json']);
    expect(compared.code, compared.stderr).toBe(0);
    expect(JSON.parse(compared.stdout)).toMatchObject({
      factor: 'runner',
      reference: 'local',
      metric: 'deployment.ready',
      cells: [{ factors: { runner: 'docker' } }],
    });
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('What each runner costs, against local');
  });
});
