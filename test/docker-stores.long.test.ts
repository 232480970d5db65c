/** Stores and tables of services in containers, with real servers: on this machine, in an image, and the user's own. */
import { readdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownerLabel, serverReach } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  buildServerImage,
  type ServerImage,
} from '../packages/guests/stores/test/fixtures/server-images/build-server-image.ts';
import { makeCertificates } from '../packages/libraries/http2/test/fixtures/certificates.ts';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });
const docker = await dockerOrSkip();

const stores = `apiVersion: topo-bench/v1
kind: Experiment
name: kept
topology: kept.yaml
factors: { services.items.persistence.store: [sql-indexed, hybrid-unindexed] }
repetitions: 1
load: { driver: autocannon, connections: 4 }
duration: 1s
drain: 20s
warmup: { requests: 20, change: 90%, window: 100ms, connections: 4, max: 5s }
persistence: { workload: write-heavy }
validity: { maxErrorShare: 50%, remeasure: 0% }
`;
const oneStore = ['--only', 'store=sql-indexed'];
const tables = `apiVersion: topo-bench/v1
kind: Experiment
name: moved
topology: moved.yaml
factors: { operation: [get, put] }
repetitions: 1
load: { driver: flight }
flight: { streams: 2, rows: 20000, batchRows: 1000 }
warmup: { window: 20ms, change: 90%, max: 300ms }
validity: { remeasure: 0% }
`;

describe.skipIf(docker.missing)(`run, with stores of services in containers${docker.why}`, () => {
  const folder = temporaryFolder();
  const file = join(folder, 'kept-experiment.yaml');
  writeFileSync(file, stores);
  let image: ServerImage | undefined;
  beforeAll(async () => {
    image = await buildServerImage(await docker.engine, 'postgresql');
  });
  afterAll(() => image?.remove());

  const keep = (fields: string): void =>
    writeFileSync(
      join(folder, 'kept.yaml'),
      `apiVersion: topo-bench/v1\nkind: Topology\nname: kept\nservices: [{ name: items, persistence: { store: sql-indexed, rows: 500${fields} } }]\n`,
    );

  async function cellsOf(...args: string[]): Promise<AnyEntry[]> {
    const run = startTopoBench(['run', file, '--json', ...args], { cwd: folder });
    const owner = await ownerLabel(run.pid);
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(args.includes('--only') ? 1 : 2);
    for (const { persistence, decisions, errors, validity } of cells) {
      expect(validity, stderr).toMatchObject({ valid: true });
      expect(decisions?.wrong ?? 0).toBe(0);
      expect(errors).toEqual({});
      expect(persistence).toMatchObject({ rows: 500, server: { name: 'PostgreSQL' } });
      expect(persistence?.successRps).toBeGreaterThan(0);
    }
    expect(await objectsOf(owner)).toEqual([]);
    return cells;
  }

  /** Containers, networks and volumes that a process created. */
  async function objectsOf(owner: string): Promise<string[]> {
    const { client } = await docker.engine;
    const filters = { label: [`${labels.owner}=${owner}`] };
    const [containers, networks, { Volumes }] = await Promise.all([
      client.listContainers({ all: true, filters }),
      client.listNetworks({ filters }),
      client.listVolumes({ filters }),
    ]);
    return [...[...containers, ...networks].map(({ Id }) => Id), ...(Volumes ?? []).map(({ Name }) => Name)];
  }

  it.each([['docker'], ['local', ...oneStore]])(
    '%s: starts the server of an image, which joins the network of its roles',
    async (runner, ...only) => {
      keep(`, image: "${image?.name}"`);
      const cells = await cellsOf('--runner', runner, ...only, '--out', join(folder, `image-${runner}`));
      for (const { persistence, resources } of cells) {
        expect(persistence?.server).toMatchObject({
          origin: 'image',
          source: expect.stringContaining(image?.name ?? ''),
        });
        // Read on this machine, where the engine runs.
        expect(resources?.store?.rssBytes).toBeGreaterThan(10_000_000);
      }
    },
  );

  it('reaches a server on this machine', async () => {
    keep('');
    const cells = await cellsOf('--runner', 'docker', ...oneStore, '--out', join(folder, 'here'));
    for (const { persistence } of cells) expect(persistence?.server.origin).toMatch(/^(embedded|found-binary)$/);
  });

  describe('on a user-supplied server', () => {
    let own: StoreServer;
    beforeAll(async () => {
      keep('');
      own = await startServer({ engine: 'postgresql' });
    });
    afterAll(() => own.stop());

    it('is refused before anything starts when containers do not reach its loopback address', async () => {
      const args = ['run', file, '--runner', 'docker', '--out', join(folder, 'refused'), '--postgres-url', own.url];
      const { code, stderr } = await topoBench(args, { cwd: folder });
      expect(code).toBe(3);
      const { loopback } = await serverReach(await docker.engine);
      expect(stderr).toMatch(
        /error TB_STORE_UNREACHABLE: postgresql: the postgresql server at postgresql:\/\/postgres@127\.0\.0\.1:/,
      );
      expect(stderr).toContain(`let it listen on ${loopback} as well`);
      expect(readdirSync(folder)).not.toContain('refused');
    });

    it('is used at a loopback address when it listens where containers reach it too', async () => {
      const reach = await serverReach(await docker.engine);
      const both = await startServer({ engine: 'postgresql', reach });
      const { hostname, port } = new URL(both.url);
      const onLoopback = createServer((socket) => {
        const other = connect(Number(port), hostname);
        socket.pipe(other).pipe(socket);
        for (const end of [socket, other]) end.on('error', () => end.destroy());
      }).listen(Number(port), '127.0.0.1');
      try {
        const url = both.url.replace(hostname, 'localhost');
        const cells = await cellsOf(
          '--runner',
          'docker',
          ...oneStore,
          '--postgres-url',
          url,
          '--out',
          join(folder, 'own'),
        );
        const server = { origin: 'connection-string', address: `localhost:${port}` };
        for (const { persistence } of cells) expect(persistence?.server).toMatchObject(server);
      } finally {
        onLoopback.close();
        await both.stop();
      }
    });
  });

  it('removes server, roles and network when it is interrupted', async () => {
    keep(`, image: "${image?.name}"`);
    const run = startTopoBench(['run', file, '--runner', 'docker', '--out', join(folder, 'cut')], { cwd: folder });
    const owner = await ownerLabel(run.pid);
    await run.saw('[1/2]');
    while ((await objectsOf(owner)).length < 3) await sleep(50);
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(await objectsOf(owner)).toEqual([]);
  });
});

describe.skipIf(docker.missing)(`run, moving tables of services in containers${docker.why}`, () => {
  const folder = temporaryFolder();
  const file = join(folder, 'moved-experiment.yaml');
  const certificates = makeCertificates();
  afterAll(() => certificates.remove());
  const [ca, certificate, key] = certificates.files;
  const write = (flight: string, client = ''): void => {
    const topology = `apiVersion: topo-bench/v1\nkind: Topology\nname: moved\nservices: [{ name: table, arrow: { flight: ${flight} } }]\n`;
    writeFileSync(join(folder, 'moved.yaml'), topology);
    writeFileSync(file, tables.replace('1000 }', `1000${client} }`));
  };
  const run = (...args: string[]) =>
    topoBench(['run', file, '--runner', 'docker', '--json', ...args], {
      cwd: folder,
      env: { TABLE_PASSWORD: 'hunter2' },
    });

  it.each([
    ['without access control', '{}', ''],
    [
      'with a login and certificates of this machine',
      `{ login: { user: ada, password: env TABLE_PASSWORD }, tls: { certificate: ${certificate}, key: ${key}, clientCa: ${ca} } }`,
      `, client: { serverName: localhost, ca: ${ca}, certificate: ${certificate}, key: ${key} }`,
    ],
  ])('reads and writes a table over Flight %s', async (name, flight, client) => {
    write(flight, client);
    const { code, stdout, stderr } = await run('--out', join(folder, name.slice(0, 7)));
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(2);
    for (const { flight: moved, validity } of cells) {
      expect(validity, stderr).toMatchObject({ valid: true, reasons: [] });
      expect(moved).toMatchObject({ rows: 40_000, checked: { wrong: 0 }, server: { name: 'topo-bench' } });
    }
  });

  it('refuses the server of pyarrow, which is no container', async () => {
    write('{}');
    writeFileSync(file, tables.replace('flight: {', 'flight: { server: pyarrow,'));
    const { code, stderr } = await run('--out', join(folder, 'pyarrow'));
    expect(code).toBe(3);
    expect(stderr).toContain('error TB_FLIGHT_NO_SERVER: `flight.server: pyarrow` runs on this machine only');
  });
});
