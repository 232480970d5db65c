/** A Cassandra server that is too busy to finish writes within its own limit of 2 s. */
import { monotonicClock } from '@topo-bench/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHeatMap, openHeatMap, removeHeatMap } from '../src/heat-map/index.ts';
import { type OwnServers, startServers } from './fixtures/test-servers.ts';

let servers: OwnServers;

beforeAll(async () => {
  servers = await startServers(['cassandra']);
}, 240_000);

beforeEach(({ skip }) => skip(servers.missing('cassandra') !== undefined, servers.missing('cassandra')));

afterAll(() => servers?.stop());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a Cassandra server', () => {
  it('gets writes again that it has dropped, and every row is there once', async () => {
    const server = servers.get('cassandra');
    const pid = server.pid as number;
    const url = await createHeatMap({ engine: 'cassandra', url: server.url, name: 'busy' });
    const heatMap = await openHeatMap({ engine: 'cassandra', url, connections: 1, timeoutMs: 60_000 });
    const cells = Float64Array.from({ length: 2000 }, (_, i) => i);
    const [crossings, timesMs] = [cells.map((cell) => cell + 1), cells.map((cell) => 1000 + cell)];
    try {
      await heatMap.add({ count: 1, cells, crossings, timesMs });
      let [written, stops] = [0, 0];
      const writing = (async () => {
        for (let round = 0; round < 6; round++) {
          await heatMap.add({ count: cells.length, cells, crossings, timesMs });
          written++;
        }
      })();
      // Each stop is longer than the limit: statements that the server has accepted are dropped when it continues.
      const startUs = monotonicClock.nowUs();
      while (written < 6 && stops < 2 && monotonicClock.nowUs() - startUs < 60e6) {
        process.kill(pid, 'SIGSTOP');
        stops++;
        await pause(3000);
        process.kill(pid, 'SIGCONT');
        await pause(300);
      }
      await writing;
      expect(stops).toBeGreaterThan(0);
      const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
      expect(entries).toHaveLength(cells.length);
      const [first, last] = [entries[0], entries.at(-1)];
      expect(first).toEqual({ cell: 0, crossings: 7, timeMs: 1000 });
      expect(last).toEqual({ cell: 1999, crossings: 6 * 2000, timeMs: 2999 });
    } finally {
      process.kill(pid, 'SIGCONT');
      await heatMap.close();
      await removeHeatMap({ engine: 'cassandra', url: server.url, name: 'busy' });
    }
  });
});
