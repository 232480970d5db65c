import { resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { prepareStores, type ServiceStore } from '../../src/stores/prepare-stores.ts';
import { StoreServers } from '../../src/stores/store-servers.ts';

const { signal } = new AbortController();
/** Roles are processes. */
const runner = {};
const store = { store: 'sql-indexed' } as const;
const opened: StoreServers[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
});

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Process that answers at the address: asked of the server itself. */
async function startOf(url: string): Promise<unknown> {
  return (await ask(url, 'SELECT pg_postmaster_start_time()::text AS at'))[0];
}

function keeperOfFewRows() {
  const [cell] = resolveExperiment(
    {
      experiment: {
        file: 'e.yaml',
        text: 'apiVersion: topo-bench/v1\nkind: Experiment\nname: e\ntopology: t.yaml\npersistence: {}\n',
      },
      topology: {
        file: 't.yaml',
        text: 'apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ name: items, persistence: { store: sql-indexed, rows: 30 } }]\n',
      },
      choices: {},
    },
    studies,
  ).cells;
  return (cell as ExperimentCell).graph;
}

describe('the servers of a run', () => {
  it('start a new process for every repetition, on the data of the run', async () => {
    const servers = new StoreServers();
    opened.push(servers);
    servers.nextRepetition();
    const first = await servers.get(store, runner, signal);
    const started = await startOf(first.url);
    // Another service of the same repetition shares it.
    expect(await servers.get(store, runner, signal)).toBe(first);
    expect(await startOf(first.url)).toEqual(started);
    await ask(first.url, 'CREATE DATABASE topo_bench_kept');

    servers.nextRepetition();
    const second = await servers.get(store, runner, signal);
    expect(await startOf(second.url)).not.toEqual(started);
    expect(await ask(second.url, "SELECT datname FROM pg_database WHERE datname = 'topo_bench_kept'")).toHaveLength(1);
  });

  it('are prepared once per deployment of a cell, which then has its rows', async () => {
    const servers = new StoreServers();
    opened.push(servers);
    const starts: unknown[] = [];
    for (let repetition = 0; repetition < 2; repetition++) {
      const [store] = await prepareStores(keeperOfFewRows(), servers, runner, signal);
      const { url, rows } = (store as ServiceStore).prepared;
      expect(rows).toBe(30);
      expect((store as ServiceStore).prepared.templateMs > 0).toBe(repetition === 0);
      starts.push(await startOf(url));
    }
    expect(starts[1]).not.toEqual(starts[0]);
  });

  it('do not restart a user-supplied server', async () => {
    const own = new StoreServers();
    opened.push(own);
    const running = await own.get(store, runner, signal);
    const started = await startOf(running.url);
    const servers = new StoreServers({ flags: { postgresql: running.url } });
    opened.push(servers);
    for (let repetition = 0; repetition < 2; repetition++) {
      servers.nextRepetition();
      expect((await servers.get(store, runner, signal)).origin).toBe('connection-string');
    }
    expect(await startOf(running.url)).toEqual(started);
  });
});
