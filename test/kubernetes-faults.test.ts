/** Faults of and around a run on a real cluster: they are named, finished repetitions stay, and nothing is left. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ForwardedApiServer } from './fixtures/api-server.ts';
import { kubernetesOrSkip } from './fixtures/engines.ts';
import { endedByHostAlone } from './fixtures/measured-run.ts';
import { namespacesOf } from './fixtures/namespaces.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { type Running, startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { missing, why, image } = await kubernetesOrSkip();
/** Less than the load, which ends with the server back. */
const awayMs = 2000;
/** The gateway, and two services with sidecars. */
const roles = 5;

describe.skipIf(missing)(`deployments on a cluster${why}`, () => {
  const folder = temporaryFolder();
  let server: ForwardedApiServer;
  let env: Record<string, string>;
  beforeAll(async () => {
    writeSmallFiles(folder, (name, text) =>
      name === 'experiment.yaml'
        ? text.replace('[central-entity, sidecar]', '[sidecar]').replace('500ms', '5s')
        : text.replace('mean: 60ms', 'mean: 20ms'),
    );
    const KUBECONFIG = join(folder, 'kubeconfig');
    server = await ForwardedApiServer.start(KUBECONFIG);
    // No engine: other tests may leave containers there.
    env = { KUBECONFIG, TOPO_BENCH_IMAGE: image, DOCKER_HOST: `unix://${join(folder, 'no.sock')}` };
  });
  afterAll(() => server?.cut());

  /** Ends with its test. */
  const startUp = (name: string, ...more: string[]): Running => {
    const started = startTopoBench(['up', 'topology.yaml', '--runner', 'kubernetes', '--json', ...more], {
      cwd: folder,
      env: { ...env, XDG_STATE_HOME: join(folder, name) },
    });
    onTestFinished(async () => {
      started.process.kill('SIGINT');
      await started.ended;
    });
    server.owners.push(started.pid);
    return started;
  };
  const up = async (name: string): Promise<Running> => {
    const started = startUp(name);
    await started.saw('\n', 'stdout');
    return started;
  };

  it('of a killed process are found and removed by `down --all`, next to one that continues', async () => {
    const [killed, living] = await Promise.all([up('one'), up('two')]);
    const [left, other] = [await namespacesOf(killed.pid), await namespacesOf(living.pid)];
    expect([left.length, other.length]).toEqual([1, 1]);
    expect(left).not.toEqual(other);
    killed.process.kill('SIGKILL');
    await killed.ended;

    const next = startUp('three');
    await next.saw('note: killed runs left 1 namespace; remove them: topo-bench down --all');
    next.process.kill('SIGINT');
    await next.ended;

    const options = { cwd: folder, env: { ...env, XDG_STATE_HOME: join(folder, 'one') } };
    const doctor = await topoBench(['doctor', '--json'], options);
    const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; found: string }[] };
    expect(checks.find(({ name }) => name === 'leftovers')).toMatchObject({
      found: '1 namespace',
      remedy: 'topo-bench down --all',
    });
    const down = await topoBench(['down', '--all', '--json'], options);
    expect(down.code, down.stderr).toBe(0);
    const { removed } = JSON.parse(down.stdout) as { removed: { objects: object }[] };
    expect(removed.map(({ objects }) => objects)).toEqual([{ namespace: left }]);
    expect(await namespacesOf(killed.pid)).toEqual([]);

    expect(await namespacesOf(living.pid)).toEqual(other);
    const { gatewayUrl } = JSON.parse(living.stdout()) as { gatewayUrl: string };
    const request = { class: 'plain', origin: 'us', categories: [], consents: [], purpose: 'contract', payload: {} };
    const answer = await fetch(`${gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect(answer.status).toBe(200);
    living.process.kill('SIGINT');
    await living.ended;
    expect(await namespacesOf(living.pid)).toEqual([]);
  });

  it('are measured to the end while the API server is away for some seconds, and then removed', async () => {
    const run = startTopoBench(['run', 'experiment.yaml', '--runner', 'kubernetes', '--out', 'run'], {
      cwd: folder,
      env,
    });
    onTestFinished(async () => {
      run.process.kill('SIGINT');
      await run.ended;
    });
    // The counters are zeroed and read right before the first request.
    await server.answered(/\/control\/reset$/, roles);
    await server.answered(/\/control\/usage$/, roles);
    server.cut();
    await sleep(awayMs);
    await server.restore();
    const { code, stderr } = await run.ended;
    const { record, cells } = await openRun(join(folder, 'run'));
    expect(record.status, stderr).toBe('finished');
    // Late requests on a busy machine are no fault of the API server.
    endedByHostAlone({ code, stderr }, cells);
    expect(cells.map(({ outcomes }) => outcomes.completed ?? 0)).toEqual([expect.any(Number)]);
    expect(cells[0]?.outcomes.completed).toBeGreaterThan(50);
    expect(await namespacesOf(run.pid)).toEqual([]);
  });
});
