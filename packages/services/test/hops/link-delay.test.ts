import type { Clock } from '@topo-bench/core/clock';
import { describe, expect, it } from 'vitest';
import { LinkDelays } from '../../src/hops/link-delay.ts';
import { PreciseSleep } from '../../src/hops/precise-sleep.ts';
import { deploy, testGraph } from '../deployment.ts';

const clock: Clock = { nowUs: () => performance.now() * 1e3 };

describe('a link', () => {
  const links = [
    [null, { delayUs: 4000, jitterUs: 1000 }],
    [{ delayUs: 4000, jitterUs: 0 }, null],
  ];

  it('delays by what it says, or by nothing where there is none', () => {
    expect(new LinkDelays(links, 1, 7, clock).delayUs(0, 'a', 1)).toBe(4000);
    expect(new LinkDelays(links, 0, 7, clock).delayUs(0, 'a', 1)).toBe(0);
  });

  it('jitters uniformly around its delay, the same for the same hop of the same request', () => {
    const from = new LinkDelays(links, 0, 7, clock);
    const delays = Array.from({ length: 4000 }, (_, i) => from.delayUs(1, `r${i}`, 1));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(3000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000);
    // Mean of 4000 uniform draws: standard error 9 µs.
    expect(Math.abs(delays.reduce((a, b) => a + b) / 4000 - 4000)).toBeLessThan(60);
    expect(from.delayUs(1, 'r5', 1)).toBe(delays[5]);
    expect(from.delayUs(1, 'r5', 2)).not.toBe(delays[5]);
  });
});

describe('a sleep in µs', () => {
  it.each([300, 2400])('is right on average although timers count in ms: %i µs', async (us) => {
    // A timer that fires up to 1 ms late, without the machine's own noise.
    let now = 0;
    const fake: Clock = { nowUs: () => now };
    const sleep = new PreciseSleep(fake);
    const real = globalThis.setTimeout;
    const realImmediate = globalThis.setImmediate;
    globalThis.setTimeout = ((resolve: () => void, ms: number) => {
      now += ms * 1000 + 700;
      queueMicrotask(resolve);
    }) as unknown as typeof setTimeout;
    globalThis.setImmediate = ((resolve: () => void) => {
      now += 10;
      queueMicrotask(resolve);
    }) as unknown as typeof setImmediate;
    try {
      for (let i = 0; i < 1000; i++) await sleep.sleep(us);
    } finally {
      globalThis.setTimeout = real;
      globalThis.setImmediate = realImmediate;
    }
    expect(Math.abs(now / 1000 - us)).toBeLessThan(10);
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
    for (const { durationUs } of links) expect(durationUs).toBeGreaterThan(27_000);
    expect(body.rttUs).toBeGreaterThan(crossings * 27_000);
  });
});
