/** Whole runs in containers of a real engine, compared with runs of local processes on the same seed. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { labels } from '@topo-bench/containers';
import type { Cell } from '@topo-bench/core/schema/result';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { endedByHostAlone } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { underLoad } from './fixtures/processes.ts';
import { seededFigures } from './fixtures/seeded-figures.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench, unbroken } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });

const docker = await dockerOrSkip();
const folder = temporaryFolder();

const few = [
  ...['--only', 'architecture=none,sidecar', '--repetitions', '1', '--seed', '5'],
  ...['--set', 'duration=2s', '--set', 'rate=20', '--set', 'warmup.max=2s', '--set', 'validity.remeasure=0%'],
];

async function run(runner: string, out: string): Promise<readonly Cell[]> {
  const flags = ['--runner', runner, ...few, '--out', join(folder, out), '--json'];
  const { code, stdout, stderr } = await topoBench(['run', 'quickstart', ...flags]);
  const { cells } = JSON.parse(stdout) as { cells: Cell[] };
  endedByHostAlone({ code, stderr }, cells);
  return cells;
}

/** Names of objects that the process with this id created on the engine. */
async function objectsOf(pid: number): Promise<string[]> {
  const { client } = await docker.engine;
  const filters = { label: [labels.run] };
  const isIts = (owner: string | undefined): boolean => owner?.split('.')[1] === String(pid);
  const containers = await client.listContainers({ all: true, filters });
  const networks = await client.listNetworks({ filters });
  const { Volumes } = await client.listVolumes({ filters });
  return [
    ...containers.filter(({ Labels }) => isIts(Labels[labels.owner])).map(({ Names }) => Names[0] ?? ''),
    ...networks.filter(({ Labels }) => isIts(Labels?.[labels.owner])).map(({ Name }) => Name),
    ...(Volumes ?? []).filter(({ Labels }) => isIts(Labels?.[labels.owner])).map(({ Name }) => Name),
  ];
}

describe.skipIf(docker.missing)(`a run in containers${docker.why}`, () => {
  it('writes the same folder as a local run: cells, decisions, hops and exposure agree', async () => {
    const [inContainers, local] = [await run('docker', 'docker'), await run('local', 'local')];
    expect(seededFigures(inContainers)).toEqual(seededFigures(local));
    expect(inContainers).not.toEqual([]);
    for (const cell of inContainers) {
      expect(cell.decisions.wrong).toBe(0);
      expect(cell.outcomes.completed).toBeGreaterThan(20);
      // The link of 10 ms is simulated there too.
      expect(cell.rtt.minUs).toBeGreaterThan(10_000);
      expect(cell.gateway).toEqual({ priority: true });
      // Without the idle share, which on a busy machine can be all of it.
      expect(cell.cpuUsPerRequest.service).toBeGreaterThanOrEqual(0);
      expect(cell.resources.service?.cpuPercent).toBeGreaterThan(0);
    }
    const names = (out: string): string[] => readdirSync(join(folder, out)).sort();
    expect(names('docker')).toEqual(names('local'));
    expect(readdirSync(join(folder, 'docker/logs')).sort()).toEqual(readdirSync(join(folder, 'local/logs')).sort());
  });

  it('names a container that dies during a repetition, keeps what was measured, and leaves nothing behind', async () => {
    const out = join(folder, 'killed');
    const longer = [
      '--set',
      'validity.remeasure=0%',
      '--only',
      'architecture=none',
      '--repetitions',
      '2',
      '--set',
      'duration=4s',
      '--set',
      'rate=20',
      '--set',
      'warmup.max=0s',
    ];
    const tool = startTopoBench(['run', 'quickstart', '--runner', 'docker', ...longer, '--out', out]);
    const { client } = await docker.engine;
    const payments = async (): Promise<string | undefined> => {
      const found = await client.listContainers({ filters: { label: [`${labels.role}=payments`] } });
      return found.find(({ Labels }) => Labels[labels.owner]?.split('.')[1] === String(tool.pid))?.Id;
    };
    const next = (before?: string): Promise<string> =>
      vi.waitFor(
        async () => {
          const id = await payments();
          expect(id).toBeDefined();
          expect(id).not.toBe(before);
          return id as string;
        },
        { timeout: 90_000, interval: 100 },
      );
    const first = await next();
    await tool.saw('[1/2]');
    const victim = await next(first);
    await underLoad(tool.pid);
    await client.getContainer(victim).kill();
    const { stderr } = await tool.ended;
    expect(unbroken(stderr)).toMatch(/payments was killed \(SIGKILL\)/);
    const [finished, second] = (await openRun(out)).cells;
    // Without a warm-up, on a machine that other tests use, requests of the first seconds miss their deadline.
    expect(finished?.outcomes.completed).toBeGreaterThan(5);
    expect(finished?.validity.reasons.join()).not.toMatch(/killed/);
    expect(second?.validity).toMatchObject({
      valid: false,
      reasons: expect.arrayContaining([expect.stringMatching(/payments was killed/)]),
    });
    expect(await objectsOf(tool.pid)).toEqual([]);
  });

  it('tears everything down when it is interrupted', async () => {
    const tool = startTopoBench(['up', 'quickstart', '--runner', 'docker', '--json']);
    await tool.saw('"gatewayUrl"', 'stdout');
    expect((await objectsOf(tool.pid)).length).toBeGreaterThan(10);
    const { gatewayUrl } = JSON.parse(tool.stdout());
    const { stdout } = await promisify(execFile)('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', gatewayUrl]);
    expect(stdout).toBe('404');
    tool.process.kill('SIGINT');
    await tool.ended;
    expect(await objectsOf(tool.pid)).toEqual([]);
  });
});

describe('a run without an engine', () => {
  it('ends with exit code 3 and the way out, before it writes anything', async () => {
    const out = join(folder, 'none');
    const env = { DOCKER_HOST: `unix://${folder}/none.sock` };
    const { code, stderr } = await topoBench(['run', 'quickstart', '--runner', 'docker', '--out', out], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('TB_ENGINE_NOT_FOUND');
    expect(stderr).toContain('set DOCKER_HOST');
    expect(existsSync(out)).toBe(false);
  });
});

afterAll(async () => {
  if (!docker.missing) expect(await objectsOf(process.pid)).toEqual([]);
});
