import { randomStream } from '@topo-bench/core';
import { scheduleAdherence } from '@topo-bench/results';
import { alternatingShard, arrivalTimesUs, turnOrder } from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';
import { driverNamed } from '../../src/driver-named.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { loadOfServer } from '../../src/load-of-server.ts';
import { emptySamples } from '../../src/samples.ts';
import { jobOfServer, openAfterTurn } from '../../src/turns.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { samplesOf } from '../fixtures/samples-of.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const whole = { part: 0, parts: 1 };

const backAndForth = (servers: number) => (slice: number) => {
  const all = Array.from({ length: servers }, (_, server) => server);
  return slice % 2 === 0 ? all : all.reverse();
};

describe('an alternating schedule of several servers', () => {
  it('gives each server the whole schedule in slices, in the given order, with a gap after each', () => {
    const times = Float64Array.of(10, 90, 150, 290);
    const turns = { sliceUs: 100, gapUs: 20, servers: 2, orderOf: backAndForth(2) };
    const { indexes, timesUs } = alternatingShard(times, turns, whole);
    const rows = Array.from(indexes, (index, row) => [
      index % 2 === 0 ? 'A' : 'B',
      Math.floor(index / 2),
      timesUs[row],
    ]);
    expect(rows).toEqual([
      ['A', 0, 10],
      ['A', 1, 90],
      ['B', 0, 130],
      ['B', 1, 210],
      ['B', 2, 290],
      ['A', 2, 410],
      ['A', 3, 570],
      ['B', 3, 690],
    ]);
  });

  it.each([2, 3, 5])('loads one of %i servers at a time, and keeps all pauses inside a slice', (servers) => {
    const times = arrivalTimesUs('poisson', 500, 2_000_000, randomStream(5, 'alternating'));
    const [sliceUs, gapUs] = [200_000, 50_000];
    const turns = { sliceUs, gapUs, servers, orderOf: turnOrder(5, 1, servers) };
    const { indexes, timesUs } = alternatingShard(times, turns, whole);
    expect([...indexes].sort((a, b) => a - b)).toEqual(Array.from({ length: times.length * servers }, (_, at) => at));
    // Recomputed from nothing but the times: which turn a request is in, and where in its slice.
    const serverOfTurn = new Map<number, number>();
    for (const [row, index] of indexes.entries()) {
      const turn = Math.floor((timesUs[row] as number) / (sliceUs + gapUs));
      expect(serverOfTurn.get(turn) ?? index % servers).toBe(index % servers);
      serverOfTurn.set(turn, index % servers);
      const inTurn = (timesUs[row] as number) - turn * (sliceUs + gapUs);
      expect(inTurn).toBeLessThan(sliceUs);
      expect(inTurn).toBeCloseTo((times[Math.floor(index / servers)] as number) % sliceUs, 3);
    }
    expect(serverOfTurn.size).toBe(servers * 10);
  });

  it('is the same when it is distributed to several generator processes', () => {
    const times = arrivalTimesUs('poisson', 300, 1_000_000, randomStream(6, 'alternating'));
    const turns = { sliceUs: 250_000, gapUs: 10_000, servers: 2, orderOf: turnOrder(6, 1, 2) };
    const all = alternatingShard(times, turns, whole);
    const shards = [0, 1, 2].map((part) => alternatingShard(times, turns, { part, parts: 3 }));
    const distributed = shards.flatMap(({ indexes, timesUs }) =>
      Array.from(indexes, (index, row) => [index, timesUs[row]]),
    );
    expect(new Map(distributed as [number, number][])).toEqual(
      new Map(Array.from(all.indexes, (index, row) => [index, all.timesUs[row] as number])),
    );
  });
});

describe('the order of turns', () => {
  it('is reversed in every other slice, so that linear drift cancels out', () => {
    const order = turnOrder(3, 2, 4);
    for (const slice of [0, 2, 14]) expect(order(slice + 1)).toEqual([...order(slice)].reverse());
  });

  it('is shuffled: over many slices every server follows every other about equally often', () => {
    const order = turnOrder(11, 1, 4);
    const followers = new Map<string, number>();
    const rounds = 3000;
    for (let slice = 0; slice < rounds; slice++) {
      const servers = order(slice);
      expect([...servers].sort()).toEqual([0, 1, 2, 3]);
      for (const [at, server] of servers.slice(1).entries()) {
        const key = `${servers[at]} then ${server}`;
        followers.set(key, (followers.get(key) ?? 0) + 1);
      }
    }
    // Three followings in each slice, over twelve ordered pairs; pairs of slices are drawn together.
    const expected = (3 * rounds) / 12;
    expect(followers.size).toBe(12);
    for (const count of followers.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  });

  it('is a function of seed and repetition', () => {
    const drawn = (seed: number, repetition: number) =>
      [0, 2, 4, 6, 8].map((slice) => turnOrder(seed, repetition, 5)(slice).join(''));
    expect(drawn(1, 1)).toEqual(drawn(1, 1));
    expect(drawn(1, 1)).not.toEqual(drawn(1, 2));
    expect(drawn(1, 1)).not.toEqual(drawn(2, 1));
  });
});

describe('requests in flight after their turn', () => {
  it('are those without an answer at the end of the gap', () => {
    const samples = {
      ...emptySamples(5),
      intendedUs: Float64Array.of(50, 50, 130, 130, 130),
      sentUs: Float64Array.of(50, 50, 130, 130, Number.NaN),
      doneUs: Float64Array.of(119, 121, 240, Number.NaN, Number.NaN),
    };
    expect(openAfterTurn(samples, { sliceUs: 100, gapUs: 20 })).toBe(2);
  });
});

describe('driver open, with two servers in turns', () => {
  const worker = builtWorker();

  it('sends both the same requests, never at the same time, and splits the result by server', async () => {
    const seen: { server: string; body: string; atMs: number }[] = [];
    const at = (server: string) =>
      serve((response, body) => {
        seen.push({ server, body, atMs: performance.now() });
        response.writeHead(200, { 'x-topo-rtt-us': server === 'a' ? '100' : '200' }).end('{"outcome":"completed"}');
      });
    const urls = [await at('a'), await at('b')] as const;
    const job = {
      ...jobFor(urls[0]),
      urls,
      turns: { sliceUs: 100_000, gapUs: 20_000 },
      durationUs: 960_000,
      rateRps: 200,
    };
    const load = await driverNamed('open', launcherNamed('processes', { workerPath: worker.path })).run(job);
    const bodies = (server: string) => seen.filter((one) => one.server === server).map(({ body }) => body);
    expect(bodies('a').length).toBeGreaterThan(40);
    expect(bodies('b').toSorted()).toEqual(bodies('a').toSorted());
    for (const [server, rttUs] of [100, 200].entries()) {
      const own = loadOfServer(load, server, 2);
      expect(new Set(own.samples.rttUs)).toEqual(new Set([rttUs]));
      expect([...own.samples.index].sort((a, b) => a - b)).toEqual(bodies('a').map((_, index) => index));
      expect([own.sent, own.unfinished]).toEqual([bodies('a').length, 0]);
      expect(scheduleAdherence(samplesOf(own), own.durationUs)).toMatchObject({ scheduled: own.sent, sent: own.sent });
    }
  });

  it('sends each server requests of its own classes, at the same times', async () => {
    const seen = new Map<string, string[]>();
    const at = (server: string) =>
      serve((response, body) => {
        seen.set(server, [...(seen.get(server) ?? []), (JSON.parse(body) as { class: string }).class]);
        response.end('{"outcome":"completed"}');
      });
    const urls = [await at('a'), await at('b')] as const;
    const base = jobFor(urls[0]);
    const classOf = (name: string) => ({ name, weight: 1, origin: 'any', purpose: 'any', consents: [], payload: {} });
    const requests = ['small', 'large'].map((name) => ({ kind: 'generated' as const, classes: [classOf(name)] }));
    const turns = { sliceUs: 100_000, gapUs: 20_000, requests };
    const job = { ...base, urls, turns, durationUs: 480_000, rateRps: 200 };
    expect(jobOfServer(job, 1)).toMatchObject({ urls: [urls[1]], durationUs: 200_000, request: requests[1] });
    await driverNamed('open', launcherNamed('processes', { workerPath: worker.path })).run(job);
    expect(seen.get('a')?.length).toBeGreaterThan(15);
    expect(new Set(seen.get('a'))).toEqual(new Set(['small']));
    expect(seen.get('b')).toEqual(seen.get('a')?.map(() => 'large'));
  });
});
