import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import { serviceTimeUs } from '@topo-bench/workload';
import { afterEach, describe, expect, it } from 'vitest';
import { burnCpu } from '../../src/service/burn-cpu.ts';
import { deploy, type TestDeployment, testGraph } from '../fixtures/deployment.ts';

let deployment: TestDeployment | undefined;
afterEach(async () => {
  await deployment?.close();
  deployment = undefined;
});

describe('work as CPU time', () => {
  it.each([0, 500, 20_000])('uses the configured processor time: %i µs', (us) => {
    const before = process.cpuUsage();
    const started = performance.now();
    burnCpu(us);
    const elapsedUs = (performance.now() - started) * 1e3;
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeGreaterThanOrEqual(us);
    expect(elapsedUs).toBeGreaterThanOrEqual(us);
  });
});

describe('the work of a service', () => {
  it.each(['none', 'sidecar'] as const)(
    'is drawn from seed, request and service, for any caller: %s',
    async (architecture) => {
      const work = { law: 'exponential' as const, mean: '3ms' };
      const graph = testGraph({ services: [{ name: 'only', work }], enforcement: { architecture } });
      deployment = await deploy(graph, { change: () => ({ traceShare: 1 }) });
      for (const id of ['a', 'b', 'c', 'd']) await deployment.send({ id });
      const spans = (await deployment.spans('only')).filter(({ kind }) => kind === 'work');
      expect(spans.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
      for (const { id, durationUs } of spans) {
        const drawn = serviceTimeUs(graph.services[0]?.work as never, 1, id, 'only');
        // Wall clock of a CPU burn: never less, and more when others have the core.
        expect(durationUs).toBeGreaterThan(drawn * 0.99);
      }
    },
  );

  it('can be a wait: no CPU time, and concurrent requests wait in parallel', async () => {
    const work = { mean: '2s', kind: 'wait' as const };
    deployment = await deploy(
      testGraph({ services: [{ name: 'only', work }], enforcement: { architecture: 'sidecar' } }),
    );
    const { send, stats } = deployment;
    const answers = Array.from({ length: 20 }, () => send());
    while ((await stats('only')).inFlight < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const { body } of await Promise.all(answers)) expect(body.rttUs).toBeGreaterThanOrEqual(2_000_000);
  });

  it('ends in an answer of the configured size, with digests of the received payload', async () => {
    const sizes = { none: 0, one: 1, many: 5000 };
    const payload = { customer: 'Ada', items: [1, 2] };
    const services = Object.entries(sizes).map(([name, bytes]) => ({ name, responseSize: `${bytes}B` }));
    deployment = await deploy(testGraph({ services, enforcement: { architecture: 'central-entity' } }));
    for (const [name, bytes] of Object.entries(sizes)) {
      const config = deployment.configs.find((role) => role.name === name);
      const response = await fetch(`${deployment.urls[name]}/work`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-topo-token': config?.secrets.token ?? '' },
        body: JSON.stringify({ id: 'x', from: 0, hop: 1, request: { payload } }),
      });
      expect(await response.json()).toEqual({
        delivered: deliveredDigests(payload, config?.secrets.digestKey ?? ''),
        answer: 'x'.repeat(bytes),
      });
    }
  });
});
