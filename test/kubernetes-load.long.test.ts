/** Load from pods of a real cluster: one schedule over pods, clocks through the API server's proxy, dying pods. */
import { join } from 'node:path';
import { resolveExperiment } from '@topo-bench/experiment';
import { hostClock, hostClockErrorUs } from '@topo-bench/host';
import { driverNamed, type GeneratorAddress, type Launcher, launcherNamed, loadJob, loadOf } from '@topo-bench/loadgen';
import { deployCell, loadPlace } from '@topo-bench/measured';
import { createRunner, type Deployment } from '@topo-bench/runners';
import { type ApiClient, connectCluster } from '@topo-bench/runners/kubernetes';
import { studies } from '@topo-bench/studies';
import { requestGenerator } from '@topo-bench/workload';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alignClock, type ClockReading, openLink } from '../loadgen/test/fixtures/inner-parts.ts';
import { podProxyPath, reachGateway } from '../packages/runners/test/fixtures/inner-parts.ts';
import { kubernetesOrSkip } from './fixtures/engines.ts';
import { kubectl } from './fixtures/kubectl.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
services: [{ generate: 1 }]
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
runner: kubernetes
load: { rate: 100 }
duration: 2s
drain: 20s
`;

const folder = temporaryFolder();
const { missing, why, image } = await kubernetesOrSkip();

describe.skipIf(missing)(`load from pods${why}`, () => {
  const { signal } = new AbortController();
  let deployment: Deployment;
  let api: ApiClient;

  const [cell] = resolveExperiment(
    {
      experiment: { file: 'experiment.yaml', text: experiment },
      topology: { file: 'topology.yaml', text: topology },
      choices: {},
    },
    studies,
  ).cells as [import('@topo-bench/trial').ExperimentCell];

  const jobOf = (generators: number, changes = {}) =>
    loadJob({
      ...loadOf(cell.settings),
      urls: [`${loadPlace([deployment], { from: 'roles' }).gatewayUrls[0]}/requests`],
      request: { kind: 'generated', classes: cell.graph.requestClasses },
      generators,
      ...changes,
    });

  const addresses = async (count: number): Promise<readonly GeneratorAddress[]> =>
    (await deployment.inside?.generators(count, signal)) ?? [];

  /** The way of clusters whose pods are not reached from here. */
  const throughProxy = async (address: GeneratorAddress): Promise<GeneratorAddress> => {
    const headers = await api.headers();
    const { name, token, host, lastWords } = address;
    const url = api.server + podProxyPath(namespaceOf(deployment), name, 8082);
    return { name, token, ...(host && { host }), ...(lastWords && { lastWords }), url, headers, agent: api.agent };
  };

  const proxied = (): Launcher =>
    launcherNamed('remote', {
      addresses: async (count) => Promise.all((await addresses(count)).map(throughProxy)),
    });

  beforeAll(async () => {
    const serviceEntry = join(root, 'packages/cli/dist/service.cjs');
    const runner = await createRunner('kubernetes', { serviceEntry, image });
    ({ deployment } = await deployCell(cell, { runner, logsDir: folder, traceShare: 0, signal }));
    api = await connectCluster(undefined);
  });

  afterAll(async () => {
    if (!deployment) return;
    const namespace = namespaceOf(deployment);
    await deployment.stop();
    api.close();
    await expect(kubectl('get', 'namespace', namespace)).rejects.toThrow('not found');
  });

  it.each([
    ['by their addresses', () => loadPlace([deployment], { from: 'roles' }).launcher as Launcher],
    ['through the API server', proxied],
  ])('is one schedule for 1 and 2 pods that are reached %s', async (_, launcherOf) => {
    const loads = [];
    for (const generators of [1, 2]) {
      loads.push(await driverNamed('open', launcherOf()).run(jobOf(generators), signal));
    }
    const [one, two] = loads.map(({ samples }) => samples);
    expect(one?.index.length).toBeGreaterThan(100);
    expect(two?.intendedUs).toEqual(one?.intendedUs);
    for (const { samples, generatorRecords = [], generatorHosts = [] } of loads) {
      expect(new Set(samples.status)).toEqual(new Set([200]));
      for (const { host, cpuUs, startLateUs } of generatorRecords) {
        expect(deployment.hosts.map(({ id }) => id)).toContain(host);
        expect(cpuUs).toBeGreaterThan(0);
        expect(startLateUs).toBe(0);
      }
      expect(generatorHosts.length).toBeGreaterThan(0);
    }
    expect(loads[1]?.generatorRecords?.map(({ name }) => name)).toEqual(['load-generator-0', 'load-generator-1']);
  });

  it('aligns clocks through the API server within the error that it states', async () => {
    const [address] = (await addresses(1)) as [GeneratorAddress];
    for (const [way, to] of [
      ['address', address],
      ['proxy', await throughProxy(address)],
    ] as const) {
      const link = await openLink(to, { coordinator: 'test', driver: 'open' });
      let settle: (reading: ClockReading) => void = () => undefined;
      link.listen({
        onMessage: (message) => message.type === 'clock' && settle(message.reading),
        onDeath: (reason) => expect.unreachable(reason),
      });
      const read = (): Promise<ClockReading> =>
        new Promise((resolve) => {
          settle = resolve;
          link.send({ type: 'readClock' });
        });
      const { clock } = await read();
      const ours = { nowUs: () => hostClock.nowUs(), errorUs: hostClockErrorUs() };
      const { us, errorUs } = await alignClock({ ...ours, clock: 'another' }, read);
      console.log(`clock by ${way}: offset ${us.toFixed(1)} µs, error ${errorUs.toFixed(1)} µs`);
      expect(errorUs).toBeLessThan(100_000);
      // Where the cluster runs on this machine the offset is known: one clock.
      const isOneClock = (await alignClock({ ...ours, clock }, read)).us === 0;
      expect(Math.abs(us)).toBeLessThanOrEqual(isOneClock ? errorUs : Number.POSITIVE_INFINITY);
      await link.end();
    }
  });

  it('refuses a wrong token through the API server', async () => {
    const [address] = (await addresses(1)) as [GeneratorAddress];
    const wrong = { ...(await throughProxy(address)), token: 'not-the-token-of-this-pod' };
    await expect(openLink(wrong, { coordinator: 'test', driver: 'open' })).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_REFUSED',
      message: expect.stringContaining('401: the token is missing or wrong'),
    });
  });

  it('reaches the gateway over a forwarded port where pods are not reached from here', async () => {
    const namespace = namespaceOf(deployment);
    const { stdout: pod } = await kubectl(
      ...['get', 'pods', '-n', namespace, '-l', 'dev.topo-bench.role=gateway'],
      ...['-o', 'jsonpath={.items[0].metadata.name}'],
    );
    // An address for documentation (RFC 5737).
    const reached = await reachGateway(api, { namespace, pod, address: '192.0.2.1', port: 8080 });
    const generate = requestGenerator({ classes: cell.graph.requestClasses, seed: 1, repetition: 1 });
    const send = async (index: number): Promise<unknown> => {
      const answer = await fetch(`${reached.url}/requests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(generate(index)),
      });
      const { outcome } = (await answer.json()) as { outcome: string };
      return [answer.status, outcome];
    };
    try {
      expect([reached.isDirect, new URL(reached.url).hostname]).toEqual([false, '127.0.0.1']);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)));
      expect(answers).toEqual(Array(20).fill([200, 'completed']));
    } finally {
      reached.close();
    }
    await expect(send(0)).rejects.toThrow('fetch failed');
  });

  // The last one: the pod does not come back.
  it('names a pod that is deleted during the load, and why', async () => {
    const namespace = namespaceOf(deployment);
    const { launcher } = loadPlace([deployment], { from: 'roles' });
    const run = driverNamed('open', launcher).run(jobOf(2, { durationUs: 60_000_000 }), signal, {
      onStart: () => void kubectl('delete', 'pod', 'load-generator-1', '-n', namespace, '--now', '--wait=false'),
    });
    await expect(run).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_DIED',
      message: expect.stringMatching(
        /^load generator load-generator-1 ended: (.|\n)*(was deleted|exit code|Succeeded)/,
      ),
    });
  });
});

function namespaceOf({ inside }: Deployment): string {
  return new URL(inside?.gatewayUrls[0] as string).hostname.split('.')[1] as string;
}
