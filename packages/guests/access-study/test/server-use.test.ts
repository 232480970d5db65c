import { describe, expect, it } from 'vitest';
import { serverUse } from '../src/server-use.ts';

describe('the use of a database server over a read', () => {
  it('is all of its CPU time, also where the clock of the read was stopped for half of it', () => {
    const series = { atMs: [500, 1000, 2000], cpuPercent: [90, 0, 15], rssBytes: [5e6, 8e6, 7e6] };
    const use = serverUse({ processes: 3, cpuPercent: 30, rssBytes: 6e6, series }, 1e6);
    expect(use).toEqual({ cpuUs: 600_000, cpuPercent: 60, peakRssBytes: 8e6 });
  });
});
