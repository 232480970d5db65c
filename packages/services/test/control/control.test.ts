import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { headers, type OwnRoleTimeline, type RoleStats, type Span } from '@topo-bench/core';
import { hostClock, hostClockName } from '@topo-bench/host';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SpanRecorder } from '../../src/control/span-recorder.ts';
import { anyRequest, deploy, type TestDeployment, testGraph } from '../fixtures/deployment.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('figures of roles', () => {
  let deployment: TestDeployment;
  beforeAll(async () => {
    const services = [{ generate: 2, work: '2ms' }];
    deployment = await deploy(testGraph({ services, enforcement: { architecture: 'sidecar' } }), {
      change: () => ({ traceShare: 1 }),
    });
    for (let i = 0; i < 5; i++) await deployment.send({ id: `r${i}` });
  });
  afterAll(() => deployment.close());

  it('count requests served and decisions made', async () => {
    for (const role of ['gateway', 'svc-1-sidecar', 'svc-2']) expect((await deployment.stats(role)).served).toBe(5);
    const { decisions, kind, name, rssBytes, cpuUs, eventLoopUtilization } = await deployment.stats('svc-1-sidecar');
    expect({ decisions, kind, name }).toEqual({
      decisions: { allow: 5, deny: 0, redact: 0, reroute: 0 },
      kind: 'sidecar',
      name: 'svc-1-sidecar',
    });
    expect(rssBytes).toBeGreaterThan(1e6);
    expect(cpuUs).toBeGreaterThanOrEqual(2 * 5 * 2000);
    expect(eventLoopUtilization).toBeGreaterThan(0);
    expect(eventLoopUtilization).toBeLessThanOrEqual(1);
  });

  it('trace each sampled request through queue, decision, call and work, and are forgotten once collected', async () => {
    const ofFirst = (spans: { id: string; kind: string; service: string }[]): string[] =>
      spans.filter(({ id }) => id === 'r0').map(({ kind, service }) => `${kind} ${service}`);
    expect(ofFirst(await deployment.spans('svc-1-sidecar'))).toEqual([
      'parsed svc-1-sidecar',
      'decide svc-1',
      'call svc-1',
      'queued svc-1',
      'queued svc-2-sidecar',
    ]);
    const spans = await deployment.spans('svc-1');
    expect(ofFirst(spans)).toEqual(['parsed svc-1', 'work svc-1']);
    const works = spans.filter(({ kind }) => kind === 'work');
    expect(works.length).toBeGreaterThan(0);
    for (const { durationUs } of works) expect(durationUs).toBeGreaterThanOrEqual(2000);
    expect(await deployment.spans('svc-1')).toEqual([]);
  });

  it('trace the work of the gateway: each request until it is forwarded, each report until it is answered', async () => {
    await deployment.send({ id: 'turns' });
    const ofTurns = async (role: string) => (await deployment.spans(role)).filter(({ id }) => id === 'turns');
    const own = await ofTurns('gateway');
    expect(own.map(({ kind, service }) => `${kind} ${service}`)).toEqual([
      'parsed gateway',
      'work gateway',
      'queued svc-1-sidecar',
      'parsed gateway',
      'work gateway',
    ]);
    const [, taken, queued, , answered] = own.map(({ startUs, durationUs }) => ({
      startUs,
      endUs: startUs + durationUs,
    }));
    const last = (await ofTurns('svc-2-sidecar')).find(({ kind }) => kind === 'call');
    const order = [
      taken?.startUs,
      queued?.startUs,
      taken?.endUs,
      last && last.startUs + last.durationUs,
      answered?.startUs,
      answered?.endUs,
    ];
    expect(order).not.toContain(undefined);
    expect(order).toEqual([...order].sort((a, b) => Number(a) - Number(b)));
  });

  it('report as queued the part of a hop outside its receiver, by one clock', async () => {
    await deployment.send({ id: 'parts' });
    const ofParts = async (role: string) => (await deployment.spans(role)).filter(({ id }) => id === 'parts');
    const sender = await ofParts('svc-2-sidecar');
    const [, work] = await ofParts('svc-2');
    const [call, queued] = ['call', 'queued'].map((name) =>
      sender.find(({ kind, service }) => kind === name && service === 'svc-2'),
    );
    expect(queued?.startUs).toBe(call?.startUs);
    expect(queued?.durationUs).toBeGreaterThan(0);
    expect(Number(queued?.durationUs) + Number(work?.durationUs)).toBeLessThanOrEqual(Number(call?.durationUs) + 100);
    expect(sender.at(-1)).toMatchObject({ kind: 'queued', role: 'svc-2-sidecar', service: 'gateway' });
  });

  it('report where a request was last seen', async () => {
    expect(await deployment.seen('gateway', 'r0')).toEqual({ id: 'r0', step: 0, acknowledgedBy: 'svc-1-sidecar' });
    expect(await deployment.seen('svc-2-sidecar', 'r0')).toEqual({ id: 'r0', step: 1, acknowledgedBy: 'svc-2' });
    expect(await deployment.seen('gateway', 'unknown')).toBeUndefined();
  });

  it('count messages and bytes: what one role sends, another receives', async () => {
    const names = deployment.configs.map(({ name }) => name);
    const read = async () => Promise.all(names.map((name) => deployment.stats(name)));
    const sum = (stats: RoleStats[], of: (role: RoleStats) => number | undefined): number =>
      stats.reduce((total, role) => total + (of(role) ?? Number.NaN), 0);
    const before = await read();
    const body = JSON.stringify({ ...anyRequest, payload: { customer: 'ä'.repeat(300) } });
    const response = await fetch(`${deployment.urls.gateway}/requests`, {
      ...{ method: 'POST', body },
      headers: { 'content-type': 'application/json' },
    });
    const answerBytes = Buffer.byteLength(await response.text());
    expect(response.status).toBe(200);
    const more = (after: RoleStats[], of: (role: RoleStats) => number | undefined) => sum(after, of) - sum(before, of);
    // The last acknowledgement arrives after the answer of the client.
    await vi.waitFor(async () => {
      const after = await read();
      // The client's; two hand-overs to sidecars; two calls of services; the report.
      expect(more(after, ({ messages }) => messages?.received)).toBe(6);
      expect(more(after, ({ messages }) => messages?.sent)).toBe(5);
      const received = more(after, ({ bytes }) => bytes?.received);
      const sent = more(after, ({ bytes }) => bytes?.sent);
      expect(received - Buffer.byteLength(body)).toBe(sent - answerBytes);
      // The payload crosses five times.
      expect(received).toBeGreaterThan(5 * 600);
      expect(received).toBeLessThan(5 * Buffer.byteLength(body) + 5 * 1500);
    });
    const [sidecar, service] = await Promise.all(['svc-1-sidecar', 'svc-1'].map((name) => deployment.stats(name)));
    expect(sidecar?.connectionsOpened).toBe(sidecar?.connections);
    expect([service?.connectionsOpened, service?.connections, service?.messages?.sent]).toEqual([0, 0, 0]);
  });

  it('start from zero after a reset', async () => {
    const controlToken = deployment.configs[0]?.secrets.controlToken ?? '';
    const before = await deployment.stats('svc-1-sidecar');
    expect([before.served, before.servedBefore, before.collections]).toEqual([8, 0, undefined]);
    await deployment.send({ id: 'traced' });
    // The roles are in this process.
    const [resetMs, usedAtReset] = [performance.now(), process.cpuUsage()];
    const response = await fetch(`${deployment.urls['svc-1-sidecar']}/control/reset`, {
      method: 'POST',
      headers: { [headers.control]: controlToken, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(200);
    // Those of a warm-up belong to no repetition.
    expect(await deployment.spans('svc-1-sidecar')).toEqual([]);
    const stats = await deployment.stats('svc-1-sidecar');
    expect([stats.served, stats.decisions.allow, stats.queuedMax]).toEqual([0, 0, 0]);
    expect(stats.servedBefore).toBe(9);
    expect([stats.messages, stats.connectionsOpened]).toEqual([{ received: 0, sent: 0 }, 0]);
    expect(stats.bytes).toEqual({ received: 0, sent: 0 });
    const used = process.cpuUsage(usedAtReset);
    expect(stats.cpuUs).toBeLessThanOrEqual(used.user + used.system);
    expect(stats.eventLoop?.turns).toBeLessThan(before.eventLoop?.turns ?? 0);
    expect(stats.eventLoop?.idleUs).toBeLessThanOrEqual(1e3 * (performance.now() - resetMs));
    const counted = () => stats.collections?.major.count ?? Number.NaN;
    expect(counted()).toBeLessThan(2);
    for (let i = 0; i < 2; i++) collect();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { collections, eventLoop } = await deployment.stats('svc-1-sidecar');
    expect(collections?.major.count).toBeGreaterThanOrEqual(counted() + 2);
    expect(collections?.major.pauseUs).toBeGreaterThan(0);
    expect(eventLoop?.turns).toBeGreaterThan(stats.eventLoop?.turns ?? Number.NaN);
    // It waited for the timer.
    expect(eventLoop?.idleUs).toBeGreaterThan(10_000);
  });

  it('have a timeline since the reset, on the clock of the host', async () => {
    const control = { [headers.control]: deployment.configs[0]?.secrets.controlToken ?? '' };
    const url = deployment.urls['svc-1'] ?? '';
    const ask = async (path: string): Promise<OwnRoleTimeline> =>
      (await fetch(url + path, { headers: control })).json() as Promise<OwnRoleTimeline>;
    const fromUs = hostClock.nowUs();
    const json = { ...control, 'content-type': 'application/json' };
    await fetch(`${url}/control/reset`, { method: 'POST', headers: json, body: '{}' });
    await deployment.send({ id: 'timed' });
    const { name, kind, startUs, endUs, cpuUs, busyUs, reading } = await ask('/control/timeline');
    expect([name, kind]).toEqual(['svc-1', 'service']);
    expect(startUs).toBeGreaterThanOrEqual(Math.floor(fromUs));
    expect(endUs.at(-1)).toBeLessThanOrEqual(Math.ceil(hostClock.nowUs()));
    expect(cpuUs.reduce((sum, us) => sum + us, 0)).toBeGreaterThanOrEqual(2000);
    expect(busyUs).toHaveLength(endUs.length);
    expect(reading).toEqual(expect.objectContaining({ clock: hostClockName(), nowUs: expect.any(Number) }));
    expect((await fetch(`${url}/control/timeline`)).status).toBe(401);
    expect((await fetch(`${url}/control/clock`)).status).toBe(401);
  });
});

describe('the messages of a traced request', () => {
  it.each([
    ['sidecar', 'forward'],
    ['sidecar', 'nested'],
    ['central-entity', 'nested'],
    ['dynamic-router', 'forward'],
    ['none', 'forward'],
  ] as const)('form one tree from the client on, in order of time: %s, %s', async (architecture, style) => {
    const services = [{ generate: 4, work: '1ms' }];
    const flow = ['svc-1', ['svc-2', 'svc-3'], 'svc-4'];
    const deployment = await deploy(testGraph({ services, flow, enforcement: { architecture, style } }), {
      change: () => ({ traceShare: 1 }),
    });
    try {
      const { body } = await deployment.send({ id: 'one' });
      const spans: Span[] = [];
      // The last acknowledgement arrives after the answer of the client.
      await vi.waitFor(async () => {
        for (const { name } of deployment.configs) spans.push(...(await deployment.spans(name)));
        expect(sent(spans).size).toBe(body.hops);
      });
      const messages = sent(spans);
      const parsed = spans.filter(({ kind }) => kind === 'parsed');
      const roots = parsed.filter(({ parent }) => parent === undefined);
      expect(roots).toEqual([expect.objectContaining({ role: 'gateway', hop: 0 })]);
      for (const [name, { hop, parent, role }] of messages) {
        expect(name.startsWith(`${role}/`)).toBe(true);
        expect(hop).toBe(parent === undefined ? 1 : (messages.get(parent)?.hop ?? Number.NaN) + 1);
        if (parent !== undefined) expect(messages.get(parent)?.service).toBe(role);
      }
      for (const { hop, parent, role, startUs, kind } of spans) {
        const message = messages.get(parent ?? '');
        if (kind === 'parsed' && parent !== undefined) {
          expect([message?.service, message?.hop]).toEqual([role, hop]);
          expect(startUs).toBeGreaterThanOrEqual(message?.startUs ?? Number.NaN);
        }
        if (kind === 'work' && role !== 'gateway') expect([message?.service, message?.hop]).toEqual([role, hop]);
      }
      // A report that does not complete a fork has no effect; each of the others has begun.
      expect(parsed.length).toBeGreaterThanOrEqual(1 + messages.size - 2);
    } finally {
      await deployment.close();
    }
  });

  /** By name, as their senders recorded them. */
  function sent(spans: readonly Span[]): Map<string, Span> {
    return new Map(spans.flatMap((span) => (span.message === undefined ? [] : [[span.message, span] as const])));
  }

  it('are named by a header that only roles send', () => {
    const recorder = new SpanRecorder('a', 1, { nowUs: () => 1 });
    expect(recorder.placeOf({ [headers.span]: '7 b/2' })).toEqual({ hop: 7, parent: 'b/2' });
    expect(recorder.next({ hop: 7, parent: 'b/2' })).toEqual({ hop: 8, message: 'a/1', parent: 'b/2' });
    for (const claim of ['', '7', 'x b', '-1 b']) {
      expect(recorder.placeOf({ [headers.span]: claim })).toEqual({ hop: 0 });
    }
    expect(recorder.placeOf({})).toEqual({ hop: 0 });
  });
});

describe('sampling of traces', () => {
  it('samples the configured share, the same requests in every role', () => {
    const clock = { nowUs: () => 1 };
    const [a, b] = ['a', 'b'].map((role) => new SpanRecorder(role, 0.1, clock)) as [SpanRecorder, SpanRecorder];
    const ids = Array.from({ length: 10_000 }, (_, i) => `r1-${String(i).padStart(6, '0')}`);
    const sampled = ids.filter((id) => a.start(id) !== undefined);
    expect(sampled).toEqual(ids.filter((id) => b.start(id) !== undefined));
    // Binomial(10 000, 0.1): standard deviation 30.
    expect(Math.abs(sampled.length - 1000)).toBeLessThan(150);
    expect(ids.filter((id) => new SpanRecorder('c', 0, clock).start(id) !== undefined)).toEqual([]);
  });
});
