/** Ctrl-C while a check before the run pulls an image: the run ends although the pull never would. */
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { labels } from '@topo-bench/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const docker = await dockerOrSkip();
const folder = temporaryFolder();

/** A registry whose images never arrive. */
async function endlessRegistry(): Promise<{ address: string; asked: Promise<void> }> {
  let ask: () => void;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const server = createServer((request, response) => {
    if (request.url === '/v2/') {
      response.end('{}');
      return;
    }
    ask();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function experiment(name: string, lines: readonly string[]): string {
  const file = join(folder, `${name}.yaml`);
  const head = ['apiVersion: topo-bench/v1', 'kind: Experiment', `name: ${name}`];
  writeFileSync(file, `${[...head, ...lines, 'repetitions: 1'].join('\n')}\n`);
  return file;
}

/** Containers, networks and volumes of a process. */
async function ownedBy(pid: number): Promise<number> {
  const { client } = await docker.engine;
  const filters = { label: [labels.owner] };
  const [containers, networks, { Volumes }] = await Promise.all([
    client.listContainers({ all: true, filters }),
    client.listNetworks({ filters }),
    client.listVolumes({ filters }),
  ]);
  return [...containers, ...networks, ...(Volumes ?? [])].filter(
    ({ Labels }) => Labels?.[labels.owner]?.split('.')[1] === String(pid),
  ).length;
}

/** Arguments of `run` whose check needs the image of this registry. */
type Check = (registry: string) => string[];

const image = (registry: string): string => `${registry}/endless/image:1`;
const checks: Record<string, Check> = {
  'the store of a service': (registry) => {
    const store = `persistence: { store: sql-indexed, image: "${image(registry)}" }`;
    const files = writeSmallFiles(folder, (name, text) =>
      name === 'topology.yaml' ? text.replace('{ name: orders, node: eu-1 }', `{ name: orders, ${store} }`) : text,
    );
    return [files['experiment.yaml']];
  },
  'the database of a stream': (registry) => [experiment('stream', [`stream: { image: "${image(registry)}" }`])],
  'the source of a table': (registry) => [
    experiment('source', [`access: { rows: 1000, variant: native, image: "${image(registry)}" }`]),
  ],
  // Its base image, before the build.
  'the image of connectors': (registry) => [
    experiment('connector', ['access: { rows: 1000, variant: connector-container, source: parquet }']),
    '--base-image',
    image(registry),
  ],
};

describe.skipIf(docker.missing)(`Ctrl-C during the check of a run${docker.why}`, () => {
  it.each(Object.keys(checks))(
    'ends a run that pulls an image for %s, with exit code 130 and nothing left behind',
    async (name) => {
      const registry = await endlessRegistry();
      const args = (checks[name] as Check)(registry.address);
      const run = startTopoBench(['run', ...args, '--out', join(folder, 'run')], { cwd: folder });
      await Promise.race([registry.asked, run.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
      run.process.kill('SIGINT');
      const { code, stderr } = await run.ended;
      expect(code, stderr).toBe(130);
      expect(stderr).toContain('TB_INTERRUPTED');
      expect(existsSync(join(folder, 'run'))).toBe(false);
      expect(await ownedBy(run.pid)).toBe(0);
    },
  );
});
