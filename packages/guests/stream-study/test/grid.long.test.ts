/** Stream jobs with a Hazelcast grid in front of the database. */
import { resolveExperiment } from '@topo-bench/experiment';
import { createHeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { cyclingTrips } from '@topo-bench/streams/tracks';
import { studies } from '@topo-bench/studies';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { missingHazelcast, startHazelcast } from '../../stores/test/fixtures/hazelcast-member.ts';
import { startServers } from '../../stores/test/fixtures/test-servers.ts';
import { StreamEngine } from '../src/engine/embedded/stream-engine.ts';
import { compareHeatMaps } from '../src/oracle/compare-heat-maps.ts';
import { HeatMapOracle } from '../src/oracle/heat-map-oracle.ts';
import { requireGrid } from '../src/require-grid.ts';
import { StreamRun } from '../src/run.ts';
import { stream as schema } from '../src/settings-schema.ts';

const missing = missingHazelcast();

describe('a grid in front of databases', () => {
  it('is required before a run, with exit code 3 and the way out', async () => {
    await requireGrid(schema.parse({}));
    await expect(requireGrid(schema.parse({ grid: 'hazelcast' }))).rejects.toMatchObject({
      code: 'TB_STORE_NO_SERVER',
      exitCode: 3,
      hint: expect.stringContaining('TOPO_BENCH_HAZELCAST_URL'),
    });
    const withPassword = { grid: 'hazelcast', gridUrl: 'hazelcast://me:secret@127.0.0.1:1' };
    await expect(requireGrid(schema.parse(withPassword))).rejects.toMatchObject({
      code: 'TB_STORE_URL',
      message: expect.not.stringContaining('secret'),
    });
  });

  it('is named with the databases that are missing, and the hint leaves out both', async () => {
    for (const name of ['TOPO_BENCH_HAZELCAST_URL', 'TOPO_BENCH_CASSANDRA_URL', 'CASSANDRA_HOME']) vi.stubEnv(name, '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const factors = 'factors: { database: [postgresql, cassandra], grid: [none, hazelcast] }';
    const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\nstream: {}\n${factors}\n`;
    const { cells } = resolveExperiment({ experiment: { file: 'e.yaml', text }, choices: {} }, studies);
    const run = new StreamRun({ serverUrls: {}, logsDir: '/none' });
    await expect(run.require(cells, new AbortController().signal)).rejects.toMatchObject({
      code: 'TB_STORE_NO_SERVER',
      message: expect.stringMatching(/^cassandra: .*\nhazelcast: `grid: hazelcast` needs/),
      hint: expect.stringMatching(/; or leave them out with --only database=postgresql --only grid=none$/),
    });
  });

  it.skipIf(missing)(
    `acknowledges a job, and the heat map has every crossing after the flush${missing ? `: ${missing}` : ''}`,
    async () => {
      const [servers, member] = await Promise.all([startServers(['postgresql']), startHazelcast()]);
      onTestFinished(async () => {
        await Promise.all([servers.stop(), member.kill()]);
      });
      await requireGrid(schema.parse({ grid: 'hazelcast', gridUrl: member.url }));
      const server = { engine: 'postgresql', url: servers.get('postgresql').url, name: 'behind-grid' } as const;
      const url = await createHeatMap(server);
      const settings = {
        job: 'generate',
        seed: 1,
        entries: 1000,
        queries: 100,
        timeoutMs: 60_000,
        points: 4000,
        cellLength: 8,
        guarantee: 'exactly-once',
        partitions: 2,
        rowsPerWrite: 200,
        checkpointEveryMs: 200,
        windows: { lengthMs: 1000, outOfOrderMs: 2000 },
      } as const;
      const engine = await StreamEngine.prepare(settings, new AbortController().signal);
      const grid = { url: member.url, flushMs: 1e6 };
      const job = { database: 'postgresql', url, points: 4000, timeoutMs: 20_000 } as const;
      const outcome = await engine.run({ ...job, grid });
      const heatMap = await openHeatMap({ engine: 'postgresql', url, connections: 1, timeoutMs: 20_000 });
      onTestFinished(() => heatMap.close());
      const entries = await heatMap.range(0, Number.MAX_SAFE_INTEGER);
      const { seed, points, cellLength, windows } = settings;
      const oracle = HeatMapOracle.ofPoints(cyclingTrips({ points, seed }), cellLength, windows);
      const check = compareHeatMaps(oracle.expected(points), entries, outcome.late);
      expect(check).toMatchObject({ wrong: 0, lost: 0, duplicated: 0, lateDifference: 0 });
      // No flush in the job: the grid alone had all of it.
      expect(outcome.grid?.unflushed).toBe(points - outcome.late);
      expect(outcome.grid?.flushUs).toBeGreaterThan(0);
    },
    60_000,
  );
});
