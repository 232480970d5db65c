/** A whole run in pods of a real cluster, compared with one of local processes on the same seed. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { kubernetesOrSkip } from './fixtures/engines.ts';
import { type MeasuredRun, measuredRun } from './fixtures/measured-run.ts';
import { namespacesOf } from './fixtures/namespaces.ts';
import { seededFigures } from './fixtures/seeded-figures.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root, startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 600_000 });

const { missing, why, image } = await kubernetesOrSkip();
const folder = temporaryFolder();
/** Number of services in the topology; with sidecars each is behind an enforcement point. */
const services = 7;

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: two-places
topology: ${join(root, 'topologies/quickstart.yaml')}
factors: { architecture: [none, sidecar] }
repetitions: 1
load: { rate: 20 }
duration: 2s
drain: 10s
warmup: { max: 2s }
# Decisions are compared, not times.
validity: { remeasure: 0%, smallestDifference: 100% }
`;

interface RunInFolder extends MeasuredRun {
  out: string;
  pid: number;
}

async function run(runner: 'kubernetes' | 'local'): Promise<RunInFolder> {
  const out = join(folder, runner);
  const flags = ['--runner', runner, '--seed', '5', '--out', out, '--json'];
  const tool = startTopoBench(['run', 'experiment.yaml', ...flags], { cwd: folder, env: { TOPO_BENCH_IMAGE: image } });
  return { ...(await measuredRun(tool.ended)), out, pid: tool.pid };
}

describe.skipIf(missing)(`a run in pods${why}`, () => {
  it('writes the same folder as a local run: cells, decisions, hops and exposure agree', async () => {
    writeFileSync(join(folder, 'experiment.yaml'), experiment);
    const [inPods, local] = [await run('kubernetes'), await run('local')];
    const figures = seededFigures(inPods.cells);
    expect(figures.map(({ factors }) => factors.architecture)).toEqual(['none', 'sidecar']);
    expect(figures).toEqual(seededFigures(local.cells));
    // Two equal runs that decided nothing would agree too.
    expect(Object.keys(figures[1]?.decisions.byRule ?? {}).length).toBeGreaterThan(1);

    for (const { factors, decisions, outcomes, cpuUsPerRequest, deployment } of inPods.cells) {
      expect([decisions.wrong, outcomes.error, outcomes.unfinished]).toEqual([0, 0, 0]);
      expect(outcomes.completed).toBeGreaterThan(20);
      expect(cpuUsPerRequest.service).toBeGreaterThan(0);
      expect(deployment?.readyMs).toBeGreaterThan(0);
      const { networkPolicies } = deployment ?? {};
      if (factors.architecture === 'none') {
        expect(networkPolicies).toBeUndefined();
      } else {
        const { probed, refusedByService = 0, blockedByNetwork = 0 } = networkPolicies ?? {};
        expect([probed, refusedByService + blockedByNetwork]).toEqual([services, services]);
      }
    }

    const names = (out: string): string[] => readdirSync(out).sort();
    expect(names(inPods.out)).toEqual(names(local.out));
    const logsInPods = names(join(inPods.out, 'logs'));
    // The generators are pods with logs too.
    expect(logsInPods).toEqual(expect.arrayContaining(names(join(local.out, 'logs'))));
    expect(await namespacesOf(inPods.pid)).toEqual([]);
  });
});
