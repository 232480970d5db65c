import { describe, expect, it } from 'vitest';
import { driverNamed } from '../../src/driver-named.ts';
import { errorKinds } from '../../src/error-kind.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { gatewayResponse } from '../../src/load-result.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { DrainEnd } from '../fixtures/drain-end.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const worker = builtWorker();
const driver = () => driverNamed('autocannon', launcherNamed('processes', { workerPath: worker.path }));

describe('driver autocannon', () => {
  it('records every request once, in µs, with its body, status, RTT and answer', async () => {
    const ids: string[] = [];
    const url = await serve((response, body) => {
      const { id } = JSON.parse(body) as { id: string };
      ids.push(id);
      setTimeout(
        () => response.writeHead(200, { 'X-Topo-Rtt-Us': '77' }).end(JSON.stringify({ id, outcome: 'completed' })),
        2,
      );
    });
    const drain = new DrainEnd();
    const result = await driver().run(jobFor(url), undefined, drain);
    expect(drain.sinceLastAnswerUs(result)).toBeGreaterThan(0);
    const { samples } = result;
    const rows = Array.from(samples.index, (_, row) => row);
    expect(rows.length).toBeGreaterThan(4);
    expect(result).toMatchObject({ sent: rows.length, unfinished: 0, inFlight: { max: 4 } });
    expect([...samples.index]).toEqual(rows);
    expect([...ids].sort()).toEqual(rows.map((row) => gatewayResponse(result, row)?.id));
    expect(new Set(ids).size).toBe(rows.length);
    const times = rows.map((row) => (samples.doneUs[row] as number) - (samples.sentUs[row] as number));
    expect(times.every((time) => time > 1000)).toBe(true);
    // Milliseconds would be multiples of 1000.
    expect(times.filter((time) => time % 1000 !== 0).length).toBe(rows.length);
    expect(samples.status.every((status) => status === 200)).toBe(true);
    expect(samples.rttUs.every((rttUs) => rttUs === 77)).toBe(true);
  });

  it('never has more requests open than connections, from several processes', async () => {
    let [open, most] = [0, 0];
    const url = await serve((response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.end('{}');
      }, 5);
    });
    const result = await driver().run(jobFor(url, { connections: 5, processes: 2 }));
    expect(most).toBe(5);
    expect(new Set(result.samples.index).size).toBe(result.samples.index.length);
    expect(result.unfinished).toBe(0);
  });

  it('counts requests in flight at the end of the drain as unfinished', async () => {
    let count = 0;
    const url = await serve((response) => {
      if (++count % 10 !== 0) response.end('{}');
    });
    const result = await driver().run(jobFor(url, { drainUs: 100_000 }));
    expect(result.unfinished).toBe(4);
    expect(new Set(result.samples.error)).toEqual(new Set([0]));
  });

  it('counts connections closed by the server as errors, and reconnects', async () => {
    let count = 0;
    const url = await serve((response) => {
      if (++count % 10 === 0) response.destroy();
      else response.end('{}');
    });
    const result = await driver().run(jobFor(url));
    const kinds = [...result.samples.error].map((error) => errorKinds[error]);
    expect(kinds.filter((kind) => kind === 'connection-reset').length).toBe(Math.floor(count / 10));
    expect(kinds.filter((kind) => kind === 'none').length).toBe(count - Math.floor(count / 10));
  });

  it('ends when nothing listens', async () => {
    const result = await driver().run(jobFor('http://127.0.0.1:1/', { durationUs: 300_000 }));
    expect(result.samples.error.every((error) => errorKinds[error] === 'connection-refused')).toBe(true);
    expect(result.samples.index.length).toBeGreaterThan(0);
  });
});
