import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveExperiment } from '@topo-bench/experiment';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { cyclingTrips } from '@topo-bench/streams/tracks';
import { studies } from '@topo-bench/studies';
import { StudyServer } from '@topo-bench/study-kit/study-servers';
import type { ExperimentCell, MeasureContext } from '@topo-bench/trial';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EmbeddedEngine } from '../src/engine/embedded/engine.ts';
import { HeatMaps } from '../src/heat-maps.ts';
import { HeatMapOracle } from '../src/oracle/heat-map-oracle.ts';
import type { StreamEntry, StreamTrial } from '../src/parts.ts';
import { StreamRun } from '../src/run.ts';
import type { Stream } from '../src/settings-schema.ts';
import { StreamTestBed } from '../src/test-bed.ts';

const logsDir = mkdtempSync(join(tmpdir(), 'topo-bench-stream-bed-'));
let server: StoreServer;

beforeAll(async () => {
  server = await startServer({ engine: 'postgresql', logsDir });
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await server?.stop();
  rmSync(logsDir, { recursive: true, force: true });
});

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);
const remaining = async (): Promise<unknown[]> =>
  (await query("SELECT datname FROM pg_database WHERE datname LIKE 'topo_bench_heat_map_%' ORDER BY 1")).map(
    ({ datname }) => datname,
  );
/** A template cannot be dropped. */
const keep = (name: string) => query(`ALTER DATABASE "${name}" IS_TEMPLATE true`);
const drop = async (name: string): Promise<void> => {
  await query(`ALTER DATABASE "${name}" IS_TEMPLATE false`);
  await query(`DROP DATABASE "${name}"`);
};

describe('the heat maps of a repetition', () => {
  it('are not those of another repetition', async () => {
    const [one, other] = [new HeatMaps(server), new HeatMaps(server)];
    const urls = [await one.create(), await other.create(), await one.create()];
    expect(new Set(urls).size).toBe(3);
    expect(await remaining()).toEqual(urls.map(databaseOf).sort());
    await one.remove();
    expect(await remaining()).toEqual([databaseOf(urls[1] as string)]);
    expect([await other.remove(), await remaining()]).toEqual([[], []]);
  });

  it('are removed when one of them cannot be, which is named', async () => {
    const heatMaps = new HeatMaps(server);
    const names = [await heatMaps.create(), await heatMaps.create(), await heatMaps.create()].map(databaseOf);
    const [first] = names as [string];
    await keep(first);
    const left = await heatMaps.remove();
    expect(left).toEqual([expect.stringMatching(`^${first}: cannot remove a heat map: .*template`)]);
    expect(await remaining()).toEqual([first]);
    await drop(first);
  });
});

describe('the existing heat map of a run', () => {
  it('is named when it cannot be removed at the end of the run', async () => {
    const text =
      'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\nstream: { job: random-queries, entries: 1000 }\n';
    const [cell] = resolveExperiment({ experiment: { file: 'e.yaml', text }, choices: {} }, studies).cells;
    const warnings: string[] = [];
    const onWarning = (message: string) => void warnings.push(message);
    const run = new StreamRun({ serverUrls: { postgresql: server.url }, logsDir });
    await run.open(cell as ExperimentCell, { signal: new AbortController().signal, onPhase: () => {}, onWarning });
    const [kept] = (await remaining()) as [string];
    await keep(kept);
    await run.close();
    expect(warnings).toEqual([expect.stringContaining(`heat maps are left on the server: ${kept}: `)]);
    await drop(kept);
  });
});

describe('a repetition', () => {
  const settings = 'points: 2000, trials: 0, rate: 20000, latencyFor: 100ms';
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\nstream: { ${settings} }\n`;
  const [cell] = resolveExperiment({ experiment: { file: 'e.yaml', text }, choices: {} }, studies).cells as [
    ExperimentCell,
  ];
  const input = { points: 2000, entries: 1000, queries: 100, seed: 1, timeoutMs: 60_000 };
  const shared = {
    job: 'generate',
    ...input,
    cellLength: 8,
    guarantee: 'exactly-once',
    partitions: 2,
    rowsPerWrite: 1000,
    checkpointEveryMs: 200,
  };
  const measure = async (more: Partial<MeasureContext>, setting: Partial<Stream> = {}) => {
    const oracle = () => HeatMapOracle.ofPoints(cyclingTrips(shared), shared.cellLength, undefined);
    const bed = new StreamTestBed({
      server: new StudyServer(server),
      settings: { ...shared, job: 'generate', guarantee: 'exactly-once' },
      open: () => new EmbeddedEngine(),
      oracle,
    });
    const context = { signal: new AbortController().signal, onPhase: () => {}, ...more };
    try {
      const stream = { ...((cell as StreamTrial).settings.stream as Stream), ...setting };
      return await bed.measure({ ...cell, settings: { ...cell.settings, stream } }, 1, context);
    } finally {
      await bed.close();
    }
  };

  it('reports foreign load only where topo-bench started all that works for it', async () => {
    const { run } = EmbeddedEngine.prototype;
    // The cluster of the grid is not needed here.
    vi.spyOn(EmbeddedEngine.prototype, 'run').mockImplementation(function (this: EmbeddedEngine, { grid, ...request }) {
      return run.call(this, request);
    });
    const host = async (setting: Partial<Stream>) => (await measure({}, setting)).entry.resources.host;
    expect(await host({})).toHaveProperty('foreignPercent');
    expect(await host({ engine: 'flink' })).not.toHaveProperty('foreignPercent');
    const grid = { grid: 'hazelcast', gridUrl: 'hazelcast://127.0.0.1:1/dev' } as const;
    expect(await host(grid)).not.toHaveProperty('foreignPercent');
  });

  it('stops in the check of its heat maps, and removes them', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const read = vi.spyOn(HeatMaps.prototype, 'read');
    const onPhase: MeasureContext['onPhase'] = (phase) => {
      if (phase === 'check') stop.abort(reason);
    };
    await expect(measure({ signal: stop.signal, onPhase })).rejects.toBe(reason);
    expect(read).not.toHaveBeenCalled();
    expect(await remaining()).toEqual([]);
  });

  it('fails with the error of its job, and names what its engine could not remove', async () => {
    const { stop } = EmbeddedEngine.prototype;
    vi.spyOn(EmbeddedEngine.prototype, 'stop').mockImplementation(async function (this: EmbeddedEngine) {
      await stop.call(this);
      throw new Error('a jar is left');
    });
    vi.spyOn(EmbeddedEngine.prototype, 'run').mockRejectedValue(new Error('the job failed'));
    const warnings: string[] = [];
    await expect(measure({ onWarning: (message) => warnings.push(message) })).rejects.toThrow('the job failed');
    expect(warnings).toEqual(['a jar is left']);
    expect(await remaining()).toEqual([]);
  });

  it('does not count the creation of the heat map, and names what it cannot remove', async () => {
    const events: string[] = [];
    const { create, read } = HeatMaps.prototype;
    const { run } = EmbeddedEngine.prototype;
    const usage = StudyServer.prototype.usage;
    let kept: string | undefined;
    vi.spyOn(HeatMaps.prototype, 'create').mockImplementation(async function (this: HeatMaps) {
      const url = await create.call(this);
      events.push('created');
      return url;
    });
    vi.spyOn(StudyServer.prototype, 'usage').mockImplementation(function (this: StudyServer) {
      events.push('usage');
      return usage.call(this);
    });
    vi.spyOn(EmbeddedEngine.prototype, 'run').mockImplementation(async function (this: EmbeddedEngine, request) {
      events.push(`job of ${request.points}`);
      return run.call(this, request);
    });
    vi.spyOn(HeatMaps.prototype, 'read').mockImplementation(async function (this: HeatMaps, url) {
      if (kept === undefined) {
        kept = databaseOf(url);
        await keep(kept);
      }
      return read.call(this, url);
    });
    const warnings: string[] = [];
    const { entry }: { entry: StreamEntry } = await measure({ onWarning: (message) => warnings.push(message) });
    const fullSpeed = events.indexOf('job of 2000');
    expect(events.slice(fullSpeed - 2, fullSpeed)).toEqual(['created', 'usage']);
    expect(entry.stream?.roles.store).toEqual({ cpuUs: expect.any(Number), rssBytes: expect.any(Number) });
    expect(entry.stream?.paced.backlog).toBeGreaterThanOrEqual(0);
    expect(warnings).toEqual([expect.stringContaining(`heat maps are left on the server: ${kept}: `)]);
    expect(await remaining()).toEqual([kept]);
    await drop(kept as string);
  });
});
