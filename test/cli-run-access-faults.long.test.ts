/** Reads whose programs or client are ended from outside, with the user's server and its password. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverReach } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import { documentsFolder } from '@topo-bench/deployment';
import { connectCluster, podsReach } from '@topo-bench/runners/kubernetes';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cutRead, expectCut, type Seen, serverAt } from './fixtures/cut-read.ts';
import { dockerOrSkip, kubernetesOrSkip } from './fixtures/engines.ts';
import { kubectl } from './fixtures/kubectl.ts';
import { canSeeProcesses, childrenOf } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const docker = await dockerOrSkip();
const cluster = await kubernetesOrSkip();

describe.skipIf(!canSeeProcesses)('a read through a process that is killed', () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await serverAt();
  });
  afterAll(() => server?.stop());

  it('is no result of the columnar path either, and shows no password', async () => {
    const exporters: number[] = [];
    const look = async (owner: number): Promise<Seen> => {
      const found = childrenOf(owner).filter(({ commandLine }) => commandLine.includes('exporter.js'));
      for (const { pid } of found) if (!exporters.includes(pid)) exporters.push(pid);
      // The first one serves the warm-up.
      const measured = found.find(({ pid }) => exporters.indexOf(pid) === 1);
      return {
        names: found.map(({ pid }) => `exporter-${exporters.indexOf(pid)}`),
        shown: '',
        async end() {
          if (!measured) return false;
          await sleep(500);
          process.kill(measured.pid, 'SIGKILL');
          return true;
        },
      };
    };
    const result = await cutRead('columnar-process', server, { look }, []);
    expectCut(result, /the exporter was ended by SIGKILL/, 'exporter-1');
    expect((await look(result.client)).names).toEqual([]);
  });
});

describe.skipIf(docker.missing)(`a read through containers that are killed${docker.why}`, () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await serverAt(await serverReach(await docker.engine));
  });
  afterAll(() => server?.stop());

  const base = process.env.TOPO_BENCH_BASE_IMAGE;
  const args = base === undefined ? [] : ['--base-image', base];

  /** @param kill of the measured program, while it runs */
  function lookAt(measured: string, kill: (container: string, owner: number) => Promise<void>) {
    return async (owner: number): Promise<Seen> => {
      const { client } = await docker.engine;
      const filters = { label: [labels.owner] };
      const isIts = (found: Readonly<Record<string, string>> | undefined): boolean =>
        found?.[labels.owner]?.split('.')[1] === String(owner);
      const containers = (await client.listContainers({ all: true, filters })).filter(({ Labels }) => isIts(Labels));
      const networks = (await client.listNetworks({ filters })).filter(({ Labels }) => isIts(Labels));
      const { Volumes } = await client.listVolumes({ filters });
      const volumes = (Volumes ?? []).filter(({ Labels }) => isIts(Labels));
      const inspected = await Promise.all(
        containers.map(({ Id }) =>
          client
            .getContainer(Id)
            .inspect()
            .catch(() => undefined),
        ),
      );
      const running = containers.filter(({ State }) => State === 'running');
      const secrets = await Promise.all(running.map(({ Id }) => tokensOf(Id)));
      return {
        names: [
          ...containers.map(({ Names }) => Names.join()),
          ...networks.map(({ Name }) => Name),
          ...volumes.map(({ Name }) => Name),
        ],
        shown: JSON.stringify([inspected, networks, volumes]),
        secrets: secrets.flat(),
        async end() {
          const found = running.find(({ Names }) => Names.join().includes(measured));
          if (!found) return false;
          await sleep(500);
          await kill(found.Id, owner);
          return true;
        },
      };
    };
  }

  /** Tokens in the documents in the volume of a container; none once it has ended. */
  async function tokensOf(id: string): Promise<string[]> {
    const { client } = await docker.engine;
    try {
      const archive = await client.getContainer(id).getArchive({ path: documentsFolder });
      const chunks: Buffer[] = [];
      for await (const chunk of archive) chunks.push(chunk as Buffer);
      const found = Buffer.concat(chunks)
        .toString('latin1')
        .matchAll(/"(?:flightToken|inputToken|token)":"([\w-]+)"/g);
      return [...found].map(([, token = '']) => token);
    } catch {
      return [];
    }
  }

  const killContainer = async (id: string): Promise<void> => {
    await (await docker.engine).client.getContainer(id).kill();
  };

  // Programs are numbered in the order of their start: those of the warm-up first.
  it.each([
    { variant: 'connector-container', measured: 'connector-3', reason: /the connector was killed/, tokens: 0 },
    { variant: 'flight-container', measured: 'connector-5', reason: /the connector was killed/, tokens: 2 },
    { variant: 'columnar-container', measured: 'exporter-1', reason: /the exporter was killed/, tokens: 1 },
  ])('is no result of $variant, leaves nothing behind, and shows no password and no token', async (row) => {
    const { variant, measured, reason, tokens } = row;
    const look = lookAt(measured, killContainer);
    const result = await cutRead(variant, server, { look }, args);
    expectCut(result, reason, measured);
    expect(result.secrets.length).toBeGreaterThan(tokens);
    expect((await look(result.client)).names).toEqual([]);
  });

  it('by the death of its client is no result, and `down --all` removes what it left', async () => {
    const measured = 'connector-3';
    const look = lookAt(measured, async (_, owner) => {
      process.kill(owner, 'SIGKILL');
    });
    const result = await cutRead('connector-container', server, { look }, args);
    expectCut(result, /the client/, measured);
    // The programs end with their input; their containers, volumes and the network stay.
    const { names: left } = await look(result.client);
    expect(left).not.toEqual([]);
    const { code, stderr } = await topoBench(['down', '--all']);
    expect(code, stderr).toBe(0);
    expect((await look(result.client)).names).toEqual([]);
  });
});

describe.skipIf(cluster.missing)(`a read through a pod that is evicted${cluster.why}`, () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await serverAt(await podsReach(await connectCluster(undefined)));
  });
  afterAll(() => server?.stop());

  it('is no result, leaves nothing behind, and shows no password', async () => {
    const measured = 'connector-3';
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
    const result = await cutRead('connector-pod', server, { look }, ['--image', cluster.image]);
    expectCut(result, /the connector /, measured);
    expect((await look(result.client)).names).toEqual([]);
  });
});
