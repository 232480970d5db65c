import { monotonicClock } from '@topo-bench/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LinkedService, startLinkedService } from '../../bench/links/crossings.ts';
import { DeadlineQueue } from '../../src/hops/deadline-queue.ts';
import { LinkDelays } from '../../src/hops/link-delay.ts';
import { deploy, testGraph } from '../fixtures/deployment.ts';
import { type Bundle, bundleEntry, RoleProcess } from '../role-process.ts';

const waits = new DeadlineQueue(monotonicClock);

describe('a link', () => {
  const links = [
    [null, { delayUs: 4000, jitterUs: 1000 }],
    [{ delayUs: 4000, jitterUs: 0 }, null],
  ];

  it('delays by its configured delay; no link, no delay', () => {
    expect(new LinkDelays(links, 1, 7, waits).delayUs(0, 'a', 1)).toBe(4000);
    expect(new LinkDelays(links, 0, 7, waits).delayUs(0, 'a', 1)).toBe(0);
  });

  it('jitters uniformly around its delay, the same for the same hop of the same request', () => {
    const from = new LinkDelays(links, 0, 7, waits);
    const delays = Array.from({ length: 4000 }, (_, i) => from.delayUs(1, `r${i}`, 1));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(3000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000);
    // Mean of 4000 uniform draws: standard error 9 µs.
    expect(Math.abs(delays.reduce((a, b) => a + b) / 4000 - 4000)).toBeLessThan(60);
    expect(from.delayUs(1, 'r5', 1)).toBe(delays[5]);
    expect(from.delayUs(1, 'r5', 2)).not.toBe(delays[5]);
  });
});

describe('crossings of a link, timed by a process outside', () => {
  let bundle: Bundle;
  let role: RoleProcess;
  let service: LinkedService;
  beforeAll(async () => {
    bundle = await bundleEntry();
    role = new RoleProcess(bundle.file);
    service = await startLinkedService(role, '20ms');
  });
  afterAll(async () => {
    role.child.kill('SIGKILL');
    await role.exit;
    await bundle.remove();
  });

  // How much longer they are depends on the machine: `npm run bench:links` prints it.
  it('are never shorter than stated, at 300 per second', async () => {
    const { elapsedUs } = await service.measure({ linked: true, perSecond: 300, seconds: 1.5 });
    expect(elapsedUs).toHaveLength(450);
    expect(Math.min(...elapsedUs)).toBeGreaterThanOrEqual(20_000);
  });

  it('are longer than calls from the node of the service by the delay', async () => {
    const load = { perSecond: 50, seconds: 1 };
    const own = await service.measure({ linked: false, ...load });
    const { elapsedUs } = await service.measure({ linked: true, ...load });
    // The quickest call of each kind: other processes only lengthen a call.
    expect(Math.min(...elapsedUs) - Math.min(...own.elapsedUs)).toBeGreaterThan(10_000);
  });
});

describe('links of a deployment', () => {
  // Two nodes 30 ms apart: the gateway on one, the service on the other.
  const nodes = [
    { name: 'a', region: 'eu' },
    { name: 'b', region: 'us' },
  ];
  const topology = { nodes, links: [{ from: 'eu', to: 'us', delay: '30ms' }], services: [{ name: 'far', node: 'b' }] };

  it.each([
    // Message and report, or message and answer: each crosses once.
    ['none', 'forward', 2],
    ['none', 'nested', 2],
    // The central entity stands with the gateway: its call and the service's answer cross.
    ['central-entity', 'forward', 2],
    ['sidecar', 'nested', 2],
  ] as const)('delay every message that data or outcome waits for: %s, %s', async (architecture, style, crossings) => {
    const deployment = await deploy(testGraph({ ...topology, enforcement: { architecture, style } }), {
      change: () => ({ traceShare: 1 }),
    });
    const { body } = await deployment.send({ id: 'x' });
    const spans = (await Promise.all(deployment.configs.map(({ name }) => deployment.spans(name)))).flat();
    await deployment.close();
    const links = spans.filter(({ kind }) => kind === 'link');
    expect(links.length).toBe(crossings);
    for (const { durationUs } of links) expect(durationUs).toBeGreaterThanOrEqual(30_000);
    expect(body.rttUs).toBeGreaterThanOrEqual(crossings * 30_000);
  });
});
