/** Reads through a container and a pod that are ended from outside, with the user's server and its password. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverReach } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { connectCluster, podsReach } from '@topo-bench/runners/kubernetes';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dockerOrSkip, kubernetesOrSkip } from './fixtures/engines.ts';
import { kubectl } from './fixtures/kubectl.ts';
import { allCommandLines, childrenOf } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const docker = await dockerOrSkip();
const cluster = await kubernetesOrSkip();
const secret = 'tell-nobody-of-this';
/** `discover`, the read of the warm-up, `discover`: this one is measured. */
const measured = 'connector-3';

/** A program at its place, and what the engine or cluster shows of everything that belongs to the run. */
interface Seen {
  /** Ends the measured program from outside; false while there is none. */
  end(): Promise<boolean>;
  shown: string;
  names: string[];
}

interface Place {
  look(owner: number): Promise<Seen>;
}

/** Reads a slow table until `end` succeeds, and returns everything in which a password could be. */
async function cutRead(variant: string, server: StoreServer, place: Place, args: readonly string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  // The pause keeps the read at work after its first rows.
  const query = `SELECT i, repeat('x', 100) AS text, pg_sleep(CASE WHEN i > 21000 THEN 0.01 ELSE 0 END)::text AS pause
    FROM generate_series(1, 21500) AS i`;
  const access = JSON.stringify({ variant, own: { query } });
  const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: cut\n';
  writeFileSync(file, `${head}access: ${access}\nrepetitions: 1\nvalidity: { remeasure: 0% }\n`);
  const env = { TOPO_BENCH_POSTGRES_URL: server.url.replace('postgres@', `tester:${secret}@`) };
  const run = startTopoBench(['run', file, '--out', 'run', '--json', ...args], { cwd: folder, env });
  const texts = new Set<string>();
  const names = new Set<string>();
  let [isRunning, isEnded] = [true, false];
  const ended = run.ended.finally(() => {
    isRunning = false;
  });
  let client = 0;
  while (isRunning) {
    client = childrenOf(run.pid).find(({ commandLine }) => commandLine.includes('access-client'))?.pid ?? client;
    const seen = await place.look(client);
    for (const name of seen.names) names.add(name);
    for (const text of [seen.shown, ...allCommandLines()]) texts.add(text);
    isEnded ||= await seen.end();
    await sleep(100);
  }
  const { code, stdout, stderr } = await ended;
  const files = readdirSync(join(folder, 'run'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const left = (await place.look(client)).names;
  const { cells } = JSON.parse(stdout) as { cells: Cell[] };
  return { code, stderr, cells, isEnded, left, names: [...names], texts: [...texts, stdout, stderr, ...files] };
}

function expectCut(result: Awaited<ReturnType<typeof cutRead>>, reason: RegExp): void {
  const { code, stderr, cells, isEnded, left, names, texts } = result;
  expect(isEnded, stderr).toBe(true);
  expect(code).toBe(5);
  expect(cells).toHaveLength(1);
  expect(cells[0]?.validity.valid).toBe(false);
  expect(cells[0]?.validity.reasons.join()).toMatch(reason);
  // No partial result.
  expect(cells[0]?.access).toBeUndefined();
  expect(names.some((name) => name.includes(measured))).toBe(true);
  expect(left).toEqual([]);
  expect(texts.some((text) => text.includes('connector.js'))).toBe(true);
  const base64 = Buffer.from(secret).toString('base64').slice(0, -4);
  expect(texts.filter((text) => text.includes(secret) || text.includes(base64))).toEqual([]);
}

async function serverAt(reach: Awaited<ReturnType<typeof podsReach>>): Promise<StoreServer> {
  const server = await startServer({ engine: 'postgresql', reach });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE ROLE tester LOGIN PASSWORD '${secret}'`);
  await admin.end();
  return server;
}

describe.skipIf(docker.missing)(`a read through a container that is killed${docker.why}`, () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await serverAt(await serverReach(await docker.engine));
  });
  afterAll(() => server?.stop());

  it('is no result, leaves nothing behind, and shows no password', async () => {
    const { client } = await docker.engine;
    const filters = { label: [labels.owner] };
    const isIts = (found: Readonly<Record<string, string>> | undefined, owner: number): boolean =>
      found?.[labels.owner]?.split('.')[1] === String(owner);
    const base = process.env.TOPO_BENCH_BASE_IMAGE;
    const look = async (owner: number): Promise<Seen> => {
      const containers = (await client.listContainers({ all: true, filters })).filter(({ Labels }) =>
        isIts(Labels, owner),
      );
      const networks = (await client.listNetworks({ filters })).filter(({ Labels }) => isIts(Labels, owner));
      const inspected = await Promise.all(
        containers.map(({ Id }) =>
          client
            .getContainer(Id)
            .inspect()
            .catch(() => undefined),
        ),
      );
      return {
        names: [...containers.map(({ Names }) => Names.join()), ...networks.map(({ Name }) => Name)],
        shown: JSON.stringify([inspected, networks]),
        async end() {
          const found = containers.find(({ Names, State }) => State === 'running' && Names.join().includes(measured));
          if (!found) return false;
          await sleep(500);
          await client.getContainer(found.Id).kill();
          return true;
        },
      };
    };
    const args = base === undefined ? [] : ['--base-image', base];
    expectCut(await cutRead('connector-container', server, { look }, args), /the connector was killed/);
  });
});

describe.skipIf(cluster.missing)(`a read through a pod that is evicted${cluster.why}`, () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await serverAt(await podsReach(await connectCluster(undefined)));
  });
  afterAll(() => server?.stop());

  it('is no result, leaves nothing behind, and shows no password', async () => {
    const look = async (owner: number): Promise<Seen> => {
      const { stdout } = await kubectl('get', 'namespaces', '-l', labels.owner, '-o', 'json');
      const { items } = JSON.parse(stdout) as {
        items: { metadata: { name: string; labels: Record<string, string> } }[];
      };
      const own = items.filter(({ metadata }) => metadata.labels[labels.owner]?.split('.')[1] === String(owner));
      const [namespace] = own.map(({ metadata }) => metadata.name);
      if (namespace === undefined) return { names: [], shown: '', end: async () => false };
      const { stdout: shown } = await kubectl('get', 'pods,configmaps,events', '-n', namespace, '-o', 'json');
      const { items: objects } = JSON.parse(shown) as {
        items: { kind: string; metadata: { name: string }; status?: { phase?: string } }[];
      };
      const pods = objects.filter(({ kind }) => kind === 'Pod');
      return {
        names: [namespace, ...pods.map(({ metadata }) => metadata.name)],
        shown,
        async end() {
          const pod = pods.find(({ metadata, status }) => metadata.name === measured && status?.phase === 'Running');
          if (!pod) return false;
          await sleep(500);
          const metadata = { name: measured, namespace };
          const file = join(temporaryFolder(), 'eviction.json');
          writeFileSync(file, JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }));
          const path = `/api/v1/namespaces/${namespace}/pods/${measured}/eviction`;
          await kubectl('create', '--raw', path, '-f', file);
          return true;
        },
      };
    };
    expectCut(await cutRead('connector-pod', server, { look }, ['--image', cluster.image]), /the connector /);
  });
});
