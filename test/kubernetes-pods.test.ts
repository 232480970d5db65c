/** Pods that do not run on a real cluster, each named with its cause, within its timeout. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { nodeLabel } from '@topo-bench/deployment/kubernetes';
import { createRunner, type Deployment, type StartOptions } from '@topo-bench/runners';
import { graphOf } from '@topo-bench/topology';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { kubernetesOrSkip } from './fixtures/engines.ts';
import { kubectl } from './fixtures/kubectl.ts';
import { namespacesOf } from './fixtures/namespaces.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { root, startTopoBench, unbroken } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const { missing, why, image } = await kubernetesOrSkip();
const folder = temporaryFolder();
type Documents = ReturnType<typeof deploymentDocuments>;

/** @param change of the documents, before the pods read them */
async function start(
  topology: Pick<Parameters<typeof graphOf>[0], 'services' | 'nodes'>,
  options: Partial<StartOptions> = {},
  change: (documents: Documents) => Documents = (documents) => documents,
  architecture: 'none' | 'sidecar' = 'none',
): Promise<Deployment> {
  const graph = graphOf({ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', ...topology }, undefined, {
    factors: { architecture },
  });
  const plan = planDeployment(graph);
  const runner = await createRunner('kubernetes', { serviceEntry: join(root, 'packages/cli/dist/service.cjs'), image });
  const secret = randomBytes(16).toString('hex');
  return runner.start(plan, (place) => change(deploymentDocuments({ graph, plan, seed: 1, secret, place })), {
    logsDir: folder,
    ...options,
  });
}

describe.skipIf(missing)(`a pod${why}`, () => {
  afterEach(async () => expect(await namespacesOf(process.pid)).toEqual([]));

  it('that no node takes is named with the reason of the scheduler, when its time is over', async () => {
    const node = `topo-bench-test-${randomBytes(4).toString('hex')}`;
    const object = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: node, labels: { [nodeLabel]: node } },
      // No kubelet stands behind it.
      spec: { taints: [{ key: 'topo-bench.test/none', effect: 'NoSchedule' }] },
    };
    execFileSync('kubectl', ['create', '-f', '-'], { input: JSON.stringify(object) });
    onTestFinished(() => void execFileSync('kubectl', ['delete', 'node', node]));
    const startMs = performance.now();
    const nodes = { nodes: [{ name: node, region: 'eu' }], services: [{ name: 'orders' }] };
    const failure = await start(nodes, { readyTimeoutMs: 4000 }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'TB_ROLE_NOT_READY', exitCode: 3 });
    expect(failure.message).toMatch(/not ready within 4 s/);
    for (const pod of ['gateway', 'orders']) {
      expect(failure.message).toMatch(new RegExp(`\\n${pod}: Unschedulable: .*nodes are available`));
    }
    expect(failure.message).toMatch(/FailedScheduling: .*topo-bench\.test\/none|untolerated taint/);
    // Deleting the namespace takes some seconds.
    expect(performance.now() - startMs).toBeLessThan(60_000);
  });

  it('of a service whose name is too long for a label runs, next to one with the same 62 characters', async () => {
    const names = ['a', 'b'].map((end) => `Orders_${'x'.repeat(55)}${end}`);
    const services = names.map((name) => ({ name }));
    const deployment = await start({ services }, {}, undefined, 'sidecar');
    onTestFinished(() => deployment.stop());
    const hosts = await kubectl(
      ...['get', 'services', '-n', (await namespacesOf(process.pid))[0] as string],
      ...['-o', 'jsonpath={.items[*].metadata.name}'],
    );
    expect(hosts.stdout.split(' ').filter((name) => /^orders-x+(-sidecar)?-[0-9a-f]{10}$/.test(name))).toHaveLength(4);
    const answer = await fetch(`${deployment.gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ class: 'default', origin: 'eu', categories: [], consents: [], purpose: 'p', payload: {} }),
    });
    const { outcome, steps } = (await answer.json()) as { outcome: string; steps: { service: string }[] };
    expect([answer.status, outcome, steps.map(({ service }) => service)]).toEqual([200, 'completed', names]);
    await deployment.stop();
  });

  it('whose role ends at its start is named with its exit code and its last lines', async () => {
    // An address for documentation (RFC 5737): no pod can listen on it.
    const unlistenable = ({ roles, ...documents }: Documents): Documents => ({
      ...documents,
      roles: roles.map((role) =>
        role.config.name === 'orders'
          ? { ...role, config: { ...role.config, listen: { ...role.config.listen, host: '192.0.2.1' } } }
          : role,
      ),
    });
    const failure = await start({ services: [{ name: 'orders' }] }, {}, unlistenable).catch((error) => error);
    expect(failure).toMatchObject({ code: 'TB_ROLE_DIED', hint: expect.stringMatching(/^the pod was orders-/) });
    expect(failure.message).toMatch(/^orders: ended with exit code [1-9]\d*\n(.*\n)*.*192\.0\.2\.1/);
  });
});

describe.skipIf(missing)(`a pod that runs out of memory under load${why}`, () => {
  it('spoils its repetition, which names it, and no other', async () => {
    writeSmallFiles(folder, (name, text) => {
      if (name === 'topology.yaml')
        return `apiVersion: topo-bench/v1
kind: Topology
name: small
services: [{ name: orders, limits: { memory: 100MiB }, work: { mean: 2s, kind: wait } }]
requests: { classes: [{ name: plain, origin: us, payload: { note: { category: none, size: 512KiB } } }] }
`;
      return text
        .replace(/factors:\n.*/, 'factors: { architecture: [none], rate: [2, 40] }')
        .replace('load: { rate: 40 }\nduration: 500ms', 'duration: 3s')
        .replace('drain: 5s', 'drain: 3s');
    });
    const args = ['run', 'experiment.yaml', '--runner', 'kubernetes', '--out', 'run', '--repetitions', '1'];
    const run = startTopoBench(args, { cwd: folder, env: { TOPO_BENCH_IMAGE: image } });
    const { code, stderr } = await run.ended;
    // No repetition of the second cell is valid.
    expect(code, stderr).toBe(5);
    const { record, cells } = await openRun(join(folder, 'run'));
    expect(record.status).toBe('finished');
    const reasonsAt = (rate: number): string =>
      cells.flatMap(({ factors, validity }) => (factors.rate === rate ? validity.reasons : [])).join('\n');
    expect(cells.map(({ factors }) => factors.rate).sort()).toEqual([2, 40]);
    expect(reasonsAt(40)).toContain('died during the repetition: orders: ran out of memory (OOMKilled)');
    expect(reasonsAt(2)).not.toMatch(/died|errors/);
    expect(cells.find(({ factors }) => factors.rate === 2)?.outcomes.completed).toBeGreaterThan(0);
    expect(unbroken(stderr)).toContain('orders: ran out of memory (OOMKilled)');
    expect(await namespacesOf(run.pid)).toEqual([]);
  });
});
