/** The Kubernetes runner on the cluster of the current kubeconfig, with real pods. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { freePort, isFreePort } from '@topo-bench/host';
import { createRunner, type Deployment, type StartOptions } from '@topo-bench/runners';
import { graphOf } from '@topo-bench/topology';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { kubectl, kubectlOrSkip } from './fixtures/kubectl.ts';
import { namespacesOf } from './fixtures/namespaces.ts';
import { root } from './fixtures/topo-bench.ts';

const { missing, why } = await kubectlOrSkip('get', 'namespaces');
const serviceEntry = join(root, 'packages/cli/dist/service.cjs');
const { TOPO_BENCH_IMAGE: image } = process.env;
const owner = 'dev.topo-bench.owner';

const graph = graphOf(
  { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ generate: 2 }] },
  undefined,
  { factors: { architecture: 'sidecar' } },
);
const plan = planDeployment(graph);

const ownNamespaces = (): Promise<string[]> => namespacesOf(process.pid);

describe.skipIf(missing)(`the Kubernetes runner${why}`, { timeout: 240_000 }, () => {
  let logsDir: string;
  beforeAll(async () => {
    logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-kubernetes-'));
  });
  afterAll(() => rm(logsDir, { recursive: true, force: true }));

  async function start(more: { image?: string; onCreated?: () => void } & Partial<StartOptions> = {}) {
    const { image: own = image, onCreated, ...options } = more;
    const runner = await createRunner('kubernetes', { serviceEntry, ...(own !== undefined && { image: own }) });
    const secret = randomBytes(16).toString('hex');
    return runner.start(
      plan,
      (place) => {
        onCreated?.();
        return deploymentDocuments({ graph, plan, seed: 1, secret, place });
      },
      { logsDir, ...options },
    );
  }

  it('deploys roles that answer, are refused past their sidecars, report their use, and leave nothing', async () => {
    const deployment = await start();
    try {
      expect(await ownNamespaces()).toHaveLength(1);
      const [namespace = ''] = await ownNamespaces();
      const { stdout: level } = await kubectl('get', 'namespace', namespace, '-o', 'jsonpath={.metadata.labels}');
      expect(JSON.parse(level)['pod-security.kubernetes.io/enforce']).toBe('restricted');

      const { probed, refusedByService = 0, blockedByNetwork = 0 } = deployment.networkPolicies ?? {};
      expect([probed, refusedByService + blockedByNetwork]).toEqual([2, 2]);

      const usage = await deployment.usage({ pss: true });
      expect(usage.map(({ name }) => name)).toEqual(plan.roles.map(({ name }) => name));
      for (const { process, pssBytes } of usage) {
        expect(process?.cpuUs).toBeGreaterThan(10_000);
        expect(pssBytes).toBeGreaterThan(10e6);
      }
      expect(deployment.hosts.map(({ id }) => id)).toEqual([...new Set(deployment.roles.map(({ host }) => host))]);
      expect((await deployment.stats()).map(({ name }) => name)).toEqual(plan.roles.map(({ name }) => name));
    } finally {
      await deployment.stop();
    }
    expect(await ownNamespaces()).toEqual([]);
    expect(await readFile(join(logsDir, 'svc-1-sidecar.log'), 'utf8')).toContain('ready');
  });

  it('names the roles of a pod that is deleted during a run', async () => {
    const deployment: Deployment = await start();
    try {
      const deaths: string[] = [];
      deployment.onDeath((error, role) => deaths.push(`${role.name}: ${error.code} ${error.message}`));
      const [namespace = ''] = await ownNamespaces();
      await kubectl('delete', 'pod', '-n', namespace, '-l', 'dev.topo-bench.role=svc-2', '--wait=false');
      await expect.poll(() => deaths.length, { timeout: 20_000 }).toBe(2);
      expect(deaths[0]).toMatch(/^svc-2-sidecar: TB_ROLE_DIED svc-2: was deleted/);
      expect(deaths[1]).toMatch(/^svc-2: TB_ROLE_DIED/);
    } finally {
      await deployment.stop();
    }
    expect(await ownNamespaces()).toEqual([]);
  });

  it('names an image that the cluster does not have, and leaves nothing', async () => {
    const failure = await start({ image: 'topo-bench.invalid/none:0' }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'TB_ROLE_NOT_READY', hint: expect.stringContaining('--image') });
    expect(failure.message).toContain('topo-bench.invalid/none:0');
    expect(await ownNamespaces()).toEqual([]);
  });

  it('reports a quota that refuses pods, and leaves nothing', async () => {
    const onCreated = (): void => {
      const namespaces = execFileSync('kubectl', [
        'get',
        'namespaces',
        '-l',
        owner,
        '-o',
        'name',
        '--sort-by=.metadata.creationTimestamp',
      ]);
      const namespace = namespaces.toString().trim().split('\n').at(-1)?.replace('namespace/', '') as string;
      execFileSync('kubectl', ['create', 'quota', 'few', '-n', namespace, '--hard=pods=1']);
    };
    const failure = await start({ onCreated }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'TB_CLUSTER_REFUSED', exitCode: 3 });
    expect(failure.message).toMatch(/exceeded quota/);
    expect(await ownNamespaces()).toEqual([]);
  });

  it('names missing rights before it creates anything', async () => {
    const account = `topo-bench-test-${randomBytes(3).toString('hex')}`;
    await kubectl('create', 'serviceaccount', account, '-n', 'default');
    const file = join(logsDir, 'kubeconfig');
    try {
      const { stdout: token } = await kubectl('create', 'token', account, '-n', 'default');
      const { stdout } = await kubectl('config', 'view', '--raw', '--minify', '-o', 'json');
      const config = JSON.parse(stdout);
      config.users = config.users.map(({ name }: { name: string }) => ({ name, user: { token: token.trim() } }));
      await writeFile(file, JSON.stringify(config), { mode: 0o600 });
      const problems = await withKubeconfig(file, async () =>
        (await createRunner('kubernetes', { serviceEntry })).check(plan),
      );
      expect(problems).toMatchObject([{ code: 'TB_CLUSTER_RIGHTS' }]);
      expect(problems[0]?.message).toContain('"create namespaces" of the cluster');
      expect(problems[0]?.message).toContain('"create deployments.apps"');
      const forwarded = await withKubeconfig(file, () => start({ gatewayPort: 20_003 })).catch((error) => error);
      expect(forwarded).toMatchObject({ code: 'TB_CLUSTER_RIGHTS', exitCode: 3 });
      expect(forwarded.message).toMatch(/got no "get pods\/portforward", "create pods\/portforward"/);
    } finally {
      await kubectl('delete', 'serviceaccount', account, '-n', 'default');
    }
  });

  it('names a port for the gateway that is taken, before it creates anything', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    onTestFinished(() => void server.close());
    const onCreated = vi.fn();
    const failure = await start({ gatewayPort: port, onCreated }).catch((error) => error);
    expect(failure).toMatchObject({
      code: 'TB_ROLE_PORT_TAKEN',
      exitCode: 3,
      message: expect.stringContaining(`${port}`),
    });
    expect(onCreated).not.toHaveBeenCalled();
    expect(await ownNamespaces()).toEqual([]);
  });

  it('listens on the port for the gateway before it creates anything, until all is removed', async () => {
    const port = await freePort();
    let whileCreated: Promise<boolean> | undefined;
    const onCreated = (): void => {
      whileCreated = isFreePort(port);
      throw new Error('far enough');
    };
    await expect(start({ gatewayPort: port, onCreated })).rejects.toThrow('far enough');
    expect([await whileCreated, await isFreePort(port)]).toEqual([false, true]);
    expect(await ownNamespaces()).toEqual([]);
  });

  it('starts no image of a user, and names the way out', async () => {
    const image = 'registry.example/pricing:1';
    const services = [{ name: 'orders' }, { name: 'pricing', image }];
    const own = graphOf({ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services });
    const problems = await (await createRunner('kubernetes', { serviceEntry })).check(planDeployment(own));
    expect(problems).toMatchObject([
      { code: 'TB_RUNNER_NEEDS_CONTAINERS', hint: expect.stringContaining('url: http://SERVICE.NAMESPACE:PORT') },
    ]);
    expect(problems[0]?.message).toMatch(/^"pricing" is the image registry\.example\/pricing:1/);
  });

  it('has no problem with a plan for this cluster, and reports its capacity', async () => {
    const runner = await createRunner('kubernetes', { serviceEntry });
    expect(await runner.check(plan)).toEqual([]);
    const { cores = 0, memoryBytes = 0 } = (await runner.capacity?.()) ?? {};
    expect(cores).toBeGreaterThanOrEqual(1);
    expect(memoryBytes).toBeGreaterThan(2 ** 29);
  });
});

describe('the Kubernetes runner without a cluster', () => {
  it('names the contexts of the kubeconfig, a missing file, and a server that does not answer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'topo-bench-kubeconfig-'));
    try {
      const file = join(folder, 'config');
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'closed',
        clusters: [{ name: 'closed', cluster: { server: 'http://127.0.0.1:1' } }],
        users: [{ name: 'u', user: {} }],
        contexts: [{ name: 'closed', context: { cluster: 'closed', user: 'u' } }],
      };
      await writeFile(file, JSON.stringify(config));
      const check = async (path: string, context?: string) =>
        withKubeconfig(path, async () => {
          const runner = await createRunner('kubernetes', { serviceEntry, ...(context !== undefined && { context }) });
          return runner.check({ roles: [], executorOf: [] });
        });
      expect(await check(file, 'other')).toMatchObject([
        { code: 'TB_CLUSTER_NOT_FOUND', message: expect.stringContaining('"other"'), hint: 'its contexts are closed' },
      ]);
      expect(await check(join(folder, 'none'))).toMatchObject([{ code: 'TB_CLUSTER_NOT_FOUND' }]);
      expect(await check(file)).toMatchObject([
        { code: 'TB_CLUSTER_NO_ANSWER', message: expect.stringContaining('http://127.0.0.1:1') },
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

async function withKubeconfig<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const { KUBECONFIG } = process.env;
  process.env.KUBECONFIG = file;
  try {
    return await work();
  } finally {
    if (KUBECONFIG === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = KUBECONFIG;
  }
}
