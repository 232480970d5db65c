import { cellHead } from '@topo-bench/core/schema/result';
import { describe, expect, it } from 'vitest';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { loadUrl } from '../../src/load-url/load-url.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { serve } from '../fixtures/server.ts';

const worker = builtWorker();
const launcher = () => launcherNamed('processes', { workerPath: worker.path });
const short = { durationUs: 400_000, drainUs: 500_000, seed: 3 };

describe('load on a URL', () => {
  it('sends the user-supplied request, and returns one cell', async () => {
    const seen = new Set<string>();
    const url = await serve((response, body, request) => {
      seen.add(`${request.method} ${request.headers['x-a']} ${body}`);
      setTimeout(() => response.end('ok'), 5);
    });
    const { cell, search } = await loadUrl({
      ...short,
      url,
      rateRps: 100,
      method: 'PUT',
      headers: [['x-a', 'b']],
      body: 'hello',
      launcher: launcher(),
    });
    expect([...seen]).toEqual(['PUT b hello']);
    expect(search).toBeUndefined();
    expect(cell.factors).toEqual({ driver: 'open', arrivals: 'constant', rate: 100 });
    expect(cell).toMatchObject({
      offeredRps: 100,
      achievedRps: 100,
      outcomes: { completed: 40, error: 0 },
      errors: {},
    });
    expect(cell.responseTime.count).toBe(40);
    // Timers may fire up to 1 ms early against a finer clock.
    expect(cell.rtt.minUs).toBeGreaterThan(4000);
    expect(cell.responseTime.medianUs).toBeGreaterThanOrEqual(cell.rtt.medianUs);
    expect(cell.resources.generator?.processes).toBe(1);
    // Nothing was refused: the summary of no values has no quantiles.
    const { rttRefused, ...rest } = cell;
    expect(rttRefused.count).toBe(0);
    expect(cellHead.omit({ rttRefused: true }).safeParse(rest).error).toBeUndefined();
  });

  it('uses the RTT that a gateway reports, separates refusals, and counts errors by kind', async () => {
    let count = 0;
    const url = await serve((response) => {
      const status = [200, 451, 500, 200][count++ % 4] as number;
      response.writeHead(status, { 'x-topo-rtt-us': String(status) }).end();
    });
    const { cell } = await loadUrl({ ...short, url, rateRps: 100, launcher: launcher() });
    expect(cell.outcomes).toEqual({ completed: 20, refused: 10, error: 10, unfinished: 0 });
    expect([cell.rtt.count, cell.rtt.maxUs, cell.rttRefused.count, cell.rttRefused.maxUs]).toEqual([20, 200, 10, 451]);
    expect(cell.errors).toEqual({ 'http-500': 10 });
    expect(cell.validity.reasons.join()).toContain('10 errors in 40 requests');
  });

  it('flags requests that waited for new connections, and counts these', async () => {
    const url = await serve((response) => response.setHeader('connection', 'close').end());
    const { cell } = await loadUrl({ ...short, url, rateRps: 100, launcher: launcher() });
    expect(cell.validity.flags).toContain('new-connections');
    // Eight of the 40 requests have a connection that was opened ahead.
    expect(cell.generator?.connections).toEqual({ opened: 40, onDemand: 32 });
  });

  it.each(['keep-alive', 'close'])('counts and flags those of the closed model too: %s', async (connection) => {
    const url = await serve((response) => response.setHeader('connection', connection).end());
    const { cell } = await loadUrl({ ...short, url, driver: 'autocannon', connections: 1, launcher: launcher() });
    const sent = Object.values(cell.outcomes).reduce((sum, count) => sum + count);
    const opened = connection === 'close' ? sent : 1;
    expect(cell.generator?.connections).toEqual({ opened, onDemand: opened });
    expect(cell.validity.flags.includes('new-connections')).toBe(opened > 0.02 * sent);
  });

  it('counts unanswered requests as infinite', async () => {
    const url = await serve(() => undefined);
    const { cell } = await loadUrl({ ...short, drainUs: 0, url, rateRps: 50, launcher: launcher() });
    expect(cell).toMatchObject({ unfinished: 20, responseTime: { count: 20, medianUs: Number.POSITIVE_INFINITY } });
    expect(cell.validity.flags).toContain('unfinished');
  });

  it('drives the closed model, which has no schedule to keep', async () => {
    const url = await serve((response) => setTimeout(() => response.end(), 5));
    const { cell } = await loadUrl({ ...short, url, driver: 'autocannon', connections: 3, launcher: launcher() });
    expect(cell.factors).toEqual({ driver: 'autocannon', connections: 3 });
    expect(cell.schedulerLag.count).toBe(0);
    expect(cell.outcomes.completed).toBeGreaterThan(0);
    expect(cell.offeredRps).toBe(cell.achievedRps);
  });

  it('finds the max rate of a server of known capacity', async () => {
    const url = await serve(oneAtATime(10));
    const lines: string[] = [];
    const { cell, search } = await loadUrl({
      ...short,
      url,
      rateRps: 80,
      findMax: 'p95<60ms',
      launcher: launcher(),
      onProgress: (line) => lines.push(line),
    });
    // 10 ms each, one at a time: 100 req/s. In 400 ms, p95 of 60 ms is passed when about 14% more are offered. A busy
    // machine carries less.
    expect(search).toMatchObject({ condition: 'p95<60ms' });
    expect(cell.offeredRps).toBeGreaterThan(10);
    expect(cell.offeredRps).toBeLessThan(125);
    expect(lines.length).toBeGreaterThanOrEqual(search?.probes as number);
    expect(lines.some((line) => line.includes('fails p95<60ms'))).toBe(true);
  });

  it('rejects a malformed condition before it sends anything', async () => {
    await expect(loadUrl({ url: 'http://127.0.0.1:1/', findMax: 'fast' })).rejects.toMatchObject({
      code: 'TB_LOAD_CONDITION',
    });
  });
});

/** Answers one request after the other, each after `ms`: a queue with a single server. */
function oneAtATime(ms: number): Parameters<typeof serve>[0] {
  let freeAtMs = 0;
  return (response) => {
    freeAtMs = Math.max(performance.now(), freeAtMs) + ms;
    setTimeout(() => response.end('ok'), freeAtMs - performance.now());
  };
}
