import { randomStream } from '@topo-bench/core';
import { arrivalTimesUs } from '@topo-bench/workload/arrivals';
import { describe, expect, it } from 'vitest';
import { loadOfServer } from '../../src/load-of-server.ts';
import { alternatingShard } from '../../src/open/alternating-schedule.ts';
import { openDriver } from '../../src/open/driver.ts';
import { scheduleAdherence } from '../../src/schedule-adherence.ts';
import { builtWorker } from '../fixture/built-worker.ts';
import { jobFor, serve } from '../fixture/server.ts';

const whole = { part: 0, parts: 1 };

describe('a schedule that several servers take in turns', () => {
  it('gives each the whole schedule in slices, every other round backwards', () => {
    const { indexes, timesUs } = alternatingShard(Float64Array.of(10, 90, 150, 290), 100, 2, whole);
    const rows = Array.from(indexes, (index, row) => [index % 2 === 0 ? 'A' : 'B', Math.floor(index / 2), timesUs[row]]);
    expect(rows).toEqual([
      ['A', 0, 10],
      ['A', 1, 90],
      ['B', 0, 110],
      ['B', 1, 190],
      ['B', 2, 250],
      ['A', 2, 350],
      ['A', 3, 490],
      ['B', 3, 590],
    ]);
  });

  it.each([2, 3])('leaves no two of %i servers under load at once, and changes no gap inside a slice', (servers) => {
    const times = arrivalTimesUs('poisson', 500, 2_000_000, randomStream(5, 'alternating'));
    const sliceUs = 200_000;
    const { indexes, timesUs } = alternatingShard(times, sliceUs, servers, whole);
    expect(indexes).toHaveLength(times.length * servers);
    const turns = Array.from(timesUs, (timeUs) => Math.floor(timeUs / sliceUs));
    for (let row = 1; row < indexes.length; row++) {
      const [before, now] = [indexes[row - 1] as number, indexes[row] as number];
      const sameTurn = turns[row] === turns[row - 1];
      expect(now % servers === before % servers || !sameTurn).toBe(true);
      if (!sameTurn || now % servers !== before % servers) continue;
      const gap = (times[Math.floor(now / servers)] as number) - (times[Math.floor(before / servers)] as number);
      expect((timesUs[row] as number) - (timesUs[row - 1] as number)).toBeCloseTo(gap, 6);
    }
    expect([...indexes].sort((a, b) => a - b)).toEqual(Array.from({ length: indexes.length }, (_, at) => at));
  });

  it('dealt to several generator processes is the same schedule', () => {
    const times = arrivalTimesUs('poisson', 300, 1_000_000, randomStream(6, 'alternating'));
    const all = alternatingShard(times, 250_000, 2, whole);
    const shards = [0, 1, 2].map((part) => alternatingShard(times, 250_000, 2, { part, parts: 3 }));
    const dealt = shards.flatMap(({ indexes, timesUs }) => Array.from(indexes, (index, row) => [index, timesUs[row]]));
    expect(new Map(dealt as [number, number][])).toEqual(
      new Map(Array.from(all.indexes, (index, row) => [index, all.timesUs[row] as number])),
    );
  });
});

describe('driver open, with two servers in turns', () => {
  const worker = builtWorker();

  it('sends both the same requests, never to both at once, and tells the share of each', async () => {
    const seen: { server: string; body: string; atMs: number }[] = [];
    const at = (server: string) =>
      serve((response, body) => {
        seen.push({ server, body, atMs: performance.now() });
        response.writeHead(200, { 'x-topo-rtt-us': server === 'a' ? '100' : '200' }).end('{"outcome":"completed"}');
      });
    const urls = [await at('a'), await at('b')] as const;
    const job = { ...jobFor(urls[0]), urls, sliceUs: 100_000, durationUs: 800_000, rateRps: 200 };
    const load = await openDriver({ workerPath: worker.path }).run(job);
    const bodies = (server: string) => seen.filter((one) => one.server === server).map(({ body }) => body);
    expect(bodies('a').length).toBeGreaterThan(40);
    expect(bodies('b').toSorted()).toEqual(bodies('a').toSorted());
    for (const [server, rttUs] of [100, 200].entries()) {
      const own = loadOfServer(load, server, 2);
      expect(new Set(own.samples.rttUs)).toEqual(new Set([rttUs]));
      expect([...own.samples.index].sort((a, b) => a - b)).toEqual(bodies('a').map((_, index) => index));
      expect([own.sent, own.unfinished]).toEqual([bodies('a').length, 0]);
      expect(scheduleAdherence(own.samples, own.durationUs)).toMatchObject({ scheduled: own.sent, sent: own.sent });
    }
  });
});
