/** A killed run leaves its containers behind; they are found and removed, and a run next to it is not disturbed. */
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { Engine } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { type Running, startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });

const found = await dockerOrSkip();
const folder = temporaryFolder();
writeSmallFiles(folder);
const env = (name: string) => ({ XDG_STATE_HOME: join(folder, name), KUBECONFIG: join(folder, 'none') });

interface Owned {
  containers: number;
  networks: number;
  volumes: number;
}

/** What belongs to the process, by the label of its owner. */
async function ownedBy({ client }: Engine, pid: number): Promise<Owned> {
  const isOwn = (all: Record<string, string> | undefined | null): boolean =>
    all?.[labels.owner]?.split('.')[1] === String(pid);
  return {
    containers: (await client.listContainers({ all: true })).filter(({ Labels }) => isOwn(Labels)).length,
    networks: (await client.listNetworks()).filter(({ Labels }) => isOwn(Labels)).length,
    volumes: ((await client.listVolumes()).Volumes ?? []).filter(({ Labels }) => isOwn(Labels)).length,
  };
}

const nothing: Owned = { containers: 0, networks: 0, volumes: 0 };

/**
 * The engine as if it had only objects of these processes: other tests may use it at the same time, and `down --all`
 * would remove what they left.
 */
function engineOf(socketPath: string, pids: readonly number[]): Promise<Server> {
  const isOurs = (object: { Labels?: Record<string, string> | null }): boolean =>
    pids.map(String).includes(object.Labels?.[labels.owner]?.split('.')[1] ?? '');
  const filtered = (text: string): string => {
    const answer = JSON.parse(text) as { Labels?: Record<string, string> }[] & { Volumes?: object[] };
    if (Array.isArray(answer)) return JSON.stringify(answer.filter(isOurs));
    return JSON.stringify({ ...(answer as object), Volumes: (answer as { Volumes: object[] }).Volumes.filter(isOurs) });
  };
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const isList = method === 'GET' && /\/(containers\/json|networks|volumes)(\?|$)/.test(path ?? '');
    const forwarded = httpRequest({ socketPath, method, path, headers }, (answer: IncomingMessage) => {
      if (!isList) {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        return void answer.pipe(outgoing);
      }
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(filtered(text)));
    });
    incoming.pipe(forwarded);
  });
  return new Promise((resolve) => void server.listen(join(folder, 'engine.sock'), () => resolve(server)));
}

describe.skipIf(found.missing)(`a killed run${found.why}`, () => {
  const running: Running[] = [];
  afterAll(async () => {
    for (const { process, ended } of running) {
      process.kill('SIGINT');
      await ended;
    }
    // Also when a test fails.
    const { client } = await found.engine;
    const pids = running.map(({ pid }) => String(pid));
    for (const { Id, Labels: all } of await client.listContainers({ all: true })) {
      if (pids.includes(all[labels.owner]?.split('.')[1] ?? '')) await client.getContainer(Id).remove({ force: true });
    }
  });

  const up = async (name: string): Promise<Running> => {
    const started = startTopoBench(['up', 'topology.yaml', '--runner', 'docker', '--json'], {
      cwd: folder,
      env: env(name),
    });
    running.push(started);
    await started.saw('\n', 'stdout');
    return started;
  };

  it('is found and removed by `down --all`, next to a run that continues', async () => {
    const engine = await found.engine;
    const [killed, living] = await Promise.all([up('one'), up('two')]);
    const [inKilled, inLiving] = [await ownedBy(engine, killed.pid), await ownedBy(engine, living.pid)];
    expect(inKilled.containers).toBeGreaterThanOrEqual(3);
    expect(inKilled.networks).toBe(1);
    expect(inKilled.volumes).toBeGreaterThanOrEqual(3);
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect(await ownedBy(engine, killed.pid)).toEqual(inKilled);

    const socketPath = new URL(engine.address.url).pathname;
    const server = await engineOf(socketPath, [killed.pid, living.pid]);
    const options = { cwd: folder, env: { ...env('one'), DOCKER_HOST: `unix://${join(folder, 'engine.sock')}` } };
    try {
      const doctor = await topoBench(['doctor', '--json'], options);
      const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; found: string; remedy?: string }[] };
      expect(checks.find(({ name }) => name === 'leftovers')).toMatchObject({
        status: 'limited',
        found: expect.stringMatching(new RegExp(`${inKilled.containers} containers`)),
        remedy: 'topo-bench down --all',
      });

      const next = await topoBench(['run', 'experiment.yaml', '--runner', 'docker', '--out', join(folder, 'next')], {
        ...options,
        // The run is refused after the notice: nothing is to be built or measured here.
        env: { ...options.env, TOPO_BENCH_IMAGE: 'topo-bench-test/none:1' },
      });
      expect(next.stderr).toMatch(/note: killed runs left \d+ containers, .*; remove them: topo-bench down --all/);

      const down = await topoBench(['down', '--all', '--json'], options);
      expect(down.code, down.stderr).toBe(0);
      const { removed, stopped } = JSON.parse(down.stdout) as {
        removed: { runner: string; objects: Record<string, string[]> }[];
        stopped: unknown[];
      };
      expect(stopped).toEqual([]);
      expect(
        removed.map(({ objects: { container = [], network = [] } }) => [container.length, network.length]),
      ).toEqual([[inKilled.containers, 1]]);
      expect(await ownedBy(engine, killed.pid)).toEqual(nothing);
      const again = await topoBench(['down', '--all'], options);
      expect(again.stdout).toBe('nothing runs, and nothing is left over\n');
    } finally {
      server.close();
    }

    expect(await ownedBy(engine, living.pid)).toEqual(inLiving);
    const { gatewayUrl } = JSON.parse(living.stdout()) as { gatewayUrl: string };
    const request = { class: 'plain', origin: 'us', categories: [], consents: [], purpose: 'contract', payload: {} };
    const answer = await fetch(`${gatewayUrl}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect(answer.status).toBe(200);
    living.process.kill('SIGINT');
    await living.ended;
    expect(await ownedBy(engine, living.pid)).toEqual(nothing);
  });
});
