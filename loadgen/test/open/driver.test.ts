import { type AddressInfo, createServer } from 'node:net';
import { randomStream } from '@topo-bench/core';
import { scheduleAdherence } from '@topo-bench/results';
import { arrivalTimesUs, requestGenerator } from '@topo-bench/workload';
import { describe, expect, it, onTestFinished } from 'vitest';
import { driverNamed } from '../../src/driver-named.ts';
import { errorKinds } from '../../src/error-kind.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { gatewayResponse, type LoadResult } from '../../src/load-result.ts';
import { processesFor } from '../../src/open/driver.ts';
import { isUnfinished, responseTimeUs } from '../../src/samples.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { DrainEnd } from '../fixtures/drain-end.ts';
import { samplesOf } from '../fixtures/samples-of.ts';
import { block, jobFor, orders, serve } from '../fixtures/server.ts';

const worker = builtWorker();
const driver = () => driverNamed('open', launcherNamed('processes', { workerPath: worker.path }));
const rows = ({ samples }: LoadResult) => Array.from(samples.index, (_, row) => row);

describe('driver open', () => {
  it('sends every scheduled request once, at its intended time or later, with the body of its index', async () => {
    const bodies: unknown[] = [];
    const url = await serve((response, body) => {
      bodies.push(JSON.parse(body));
      // The last answers come in the drain.
      setTimeout(() => response.writeHead(200, { 'x-topo-rtt-us': '321' }).end('{"outcome":"completed"}'), 60);
    });
    const drain = new DrainEnd();
    const result = await driver().run(jobFor(url), undefined, drain);
    expect(drain.sinceLastAnswerUs(result)).toBeGreaterThan(0);
    const times = arrivalTimesUs('poisson', 200, 500_000, randomStream(7, 'arrivals', 1));
    const request = requestGenerator({ ...orders, seed: 7, repetition: 1 });
    const { samples } = result;
    expect([...samples.intendedUs]).toEqual([...times]);
    expect(result).toMatchObject({ sent: times.length, unfinished: 0, inFlight: { refused: 0, cap: 8000 } });
    expect(bodies).toHaveLength(times.length);
    expect(new Map(bodies.map((body) => [(body as { id: string }).id, body]))).toEqual(
      new Map(rows(result).map((index) => [request(index).id, request(index)])),
    );
    for (const row of rows(result)) {
      expect(samples.sentUs[row]).toBeGreaterThanOrEqual(samples.intendedUs[row] as number);
      expect(samples.doneUs[row]).toBeGreaterThan(samples.sentUs[row] as number);
      expect([samples.status[row], samples.rttUs[row], samples.error[row]]).toEqual([200, 321, 0]);
      expect(gatewayResponse(result, row)?.outcome).toBe('completed');
    }
  });

  it.each([
    ['alone', 1],
    ['in turns', 2],
  ])('sends each request to the gateway of its origin, and others to the first, %s', async (_, servers) => {
    const [class_] = orders.classes as [(typeof orders.classes)[number]];
    const request = { ...orders, classes: [{ ...class_, origin: { eu: 1, us: 1, asia: 1 } }] };
    const seen: [number, string, string][] = [];
    const entries: { region: string; url: string }[][] = [];
    for (let server = 0; server < servers; server++) {
      const entry = async (region: string) => {
        const url = await serve((response, body) => {
          seen.push([server, region, (JSON.parse(body) as { origin: string }).origin]);
          response.end('{"outcome":"completed"}');
        });
        return { region, url };
      };
      entries.push([await entry('eu'), await entry('us')]);
    }
    const turns = servers === 1 ? {} : { turns: { sliceUs: 100_000, gapUs: 10_000 } };
    const urls = entries.map(([first]) => first?.url as string);
    const result = await driver().run({ ...jobFor(urls[0] as string, turns), urls, entries, request });
    expect(result.sent).toBeGreaterThan(60);
    // No other request reaches a gateway, as of a rehearsal.
    expect(seen).toHaveLength(result.sent);
    for (const [, region, origin] of seen) expect(region).toBe(origin === 'us' ? 'us' : 'eu');
    expect(new Set(seen.map(([server, , origin]) => `${server} ${origin}`)).size).toBe(3 * servers);
  });

  it('sends the same requests at the same intended times from one process and from three', async () => {
    const seen: string[][] = [];
    const url = await serve((response, body, request) => {
      seen.at(-1)?.push(body);
      response.end(request.url);
    });
    const results: LoadResult[] = [];
    for (const processes of [1, 3]) {
      seen.push([]);
      results.push(await driver().run(jobFor(url, { processes })));
    }
    expect(results[1]?.generators).toHaveLength(3);
    expect(results[1]?.samples.index).toEqual(results[0]?.samples.index);
    expect(results[1]?.samples.intendedUs).toEqual(results[0]?.samples.intendedUs);
    expect(seen[1]?.sort()).toEqual(seen[0]?.sort());
  });

  it('keeps sending while the server stalls, and counts the wait of every request during the stall', async () => {
    const [stallFromUs, stallUs, rateRps] = [300_000, 400_000, 200];
    const url = await serve((response) => setTimeout(() => response.end('{}'), 5));
    const result = await driver().run(
      jobFor(url, { arrivals: 'constant', rateRps, durationUs: 1_000_000 }),
      undefined,
      {
        onStart: () => setTimeout(() => block(stallUs / 1e3), stallFromUs / 1e3),
      },
    );
    expect(scheduleAdherence(samplesOf(result), 1_000_000)).toMatchObject({ scheduled: 200, sent: 200 });
    const times = rows(result).map((row) => responseTimeUs(result.samples, row));
    // A stall of S met by constant arrivals leaves rate · (S − w) requests that waited longer than w.
    for (const waitUs of [100_000, 200_000, 300_000]) {
      const expected = (rateRps * (stallUs - waitUs)) / 1e6;
      expect(times.filter((time) => time > waitUs).length).toBeGreaterThan(0.8 * expected);
    }
  });

  it('does not send beyond the in-flight cap, and records which requests it delayed', async () => {
    const url = await serve(() => undefined);
    const result = await driver().run(jobFor(url, { arrivals: 'constant', rateRps: 100, inFlightCap: 20, drainUs: 0 }));
    expect(result).toMatchObject({ sent: 20, unfinished: 20, inFlight: { max: 20, cap: 20, refused: 30 } });
    const kinds = [...result.samples.error].map((error) => errorKinds[error]);
    expect(kinds).toEqual([...Array(20).fill('none'), ...Array(30).fill('in-flight-cap')]);
  });

  it('counts requests in flight at the end of the drain as unfinished, with infinite response time', async () => {
    let count = 0;
    const url = await serve((response) => {
      if (++count % 10 !== 0) response.end('{}');
    });
    const result = await driver().run(jobFor(url, { arrivals: 'constant', rateRps: 100, drainUs: 100_000 }));
    expect(result).toMatchObject({ sent: 50, unfinished: 5 });
    const infinite = rows(result).filter((row) => responseTimeUs(result.samples, row) === Number.POSITIVE_INFINITY);
    expect(infinite).toEqual(rows(result).filter((row) => isUnfinished(result.samples, row)));
    expect(infinite).toHaveLength(5);
  });

  it('counts answers of another protocol as errors at once, with the first bytes of one', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).write('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const result = await driver().run(jobFor(url, { arrivals: 'constant', rateRps: 50, drainUs: 60_000_000 }));
    expect(result.unfinished).toBe(0);
    expect(new Set([...result.samples.error].map((error) => errorKinds[error]))).toEqual(new Set(['protocol']));
    expect(result.errorExamples?.protocol).toContain('220 mail.example ESMTP');
  });

  it('aborts a request after its timeout, as an error of its own kind', async () => {
    const silent = new Set<string>();
    const url = await serve((response, body) => {
      const { id } = JSON.parse(body) as { id: string };
      if (Number(id.split('-').at(-1)) % 5 !== 0) response.end('{}');
      else silent.add(id);
    });
    // The others are answered in time, also next to programs that stop this one for half a second.
    const result = await driver().run(jobFor(url, { arrivals: 'constant', rateRps: 100, timeoutUs: 1_000_000 }));
    expect(result.unfinished).toBe(0);
    const request = requestGenerator({ ...orders, seed: 7, repetition: 1 });
    const timedOut = rows(result).filter((row) => errorKinds[result.samples.error[row] as number] === 'timeout');
    expect(timedOut).toHaveLength(10);
    expect(new Set(timedOut.map((row) => request(result.samples.index[row] as number).id))).toEqual(silent);
  });

  it('spreads requests over several URLs, path and query included', async () => {
    const seen = new Map<string, number>();
    const url = await serve((response, _body, { url: path = '' }) => {
      seen.set(path, (seen.get(path) ?? 0) + 1);
      response.end();
    });
    const urls = ['/a?x=1', '/b'].map((path) => new URL(path, url).href);
    const plain = { kind: 'plain', method: 'GET', headers: [['accept', 'text/plain']] } as const;
    const result = await driver().run(jobFor(url, { urls, request: plain, arrivals: 'constant' }));
    expect(Object.fromEntries(seen)).toEqual({ '/a?x=1': 50, '/b': 50 });
    expect(result.body(0)).toBeUndefined();
  });

  it('uses one process per 2500 req/s, at most one per core of the host', () => {
    expect(processesFor(1)).toBe(1);
    expect(processesFor(2500)).toBe(1);
    expect(processesFor(1e6)).toBeGreaterThanOrEqual(1);
  });
});
