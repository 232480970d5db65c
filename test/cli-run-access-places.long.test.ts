/** Reads of a table through programs in containers of a real engine, and in pods of a real cluster. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { labels } from '@topo-bench/core';
import { requireServer } from '@topo-bench/stores/servers/start-server';
import type { AnyEntry } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { dockerOrSkip, kubernetesOrSkip } from './fixtures/engines.ts';
import { kubectl } from './fixtures/kubectl.ts';
import { childrenOf } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const docker = await dockerOrSkip();
const cluster = await kubernetesOrSkip();
const { TOPO_BENCH_BASE_IMAGE: baseImage } = process.env;
const folder = temporaryFolder();
const temporary = join(folder, 'tmp');
mkdirSync(temporary);

function experiment(name: string, factors: string, access = 'rows: 1000'): string {
  const file = join(folder, `${name}.yaml`);
  const lines = ['apiVersion: topo-bench/v1', 'kind: Experiment', 'name: access', `access: { ${access} }`];
  const rest = [`factors: { ${factors} }`, 'repetitions: 1', 'validity: { remeasure: 0% }'];
  writeFileSync(file, `${[...lines, ...rest].join('\n')}\n`);
  return file;
}

/** Runs to the end, and collects the objects of its clients on the way. */
async function run(args: readonly string[], objectsOf: (owners: ReadonlySet<number>) => Promise<string[]>) {
  const tool = startTopoBench(['run', ...args, '--json'], { cwd: folder, env: { TMPDIR: temporary } });
  const [clients, seen] = [new Set<number>(), new Set<string>()];
  let hasEnded = false;
  const ended = tool.ended.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    for (const { pid, commandLine } of childrenOf(tool.pid))
      if (commandLine.includes('access-client')) clients.add(pid);
    for (const name of await objectsOf(clients)) seen.add(name);
    // Each look is a process of kubectl, or three requests: more of them would take the processors of the run.
    await sleep(500);
  }
  const { code, stdout, stderr } = await ended;
  expect(code, stderr).toBe(0);
  return { cells: JSON.parse(stdout).cells as AnyEntry[], seen: [...seen], left: await objectsOf(clients) };
}

function expectWhole(cells: readonly AnyEntry[]): void {
  for (const { access, validity } of cells) {
    expect(validity.reasons).toEqual([]);
    expect(access).toMatchObject({ rows: 1000, wrong: 0, expected: { rows: 1000 } });
    const parts = Object.values(access?.parts ?? {}).reduce((sum, us) => sum + us, 0);
    expect(parts / (access?.durationUs ?? 0)).toBeCloseTo(1, 6);
  }
  expect(new Set(cells.map(({ access }) => access?.checksum))).toHaveLength(1);
}

/** Figures of all cells of a variant, of which there is at least one. */
function figuresOf(cells: readonly AnyEntry[], variant: string) {
  const figures = cells.flatMap(({ access }) => (access?.variant === variant ? [access] : []));
  expect(figures, variant).not.toEqual([]);
  return figures;
}
const ownerOf = (owner: string | undefined): number => Number(owner?.split('.')[1]);

describe.skipIf(docker.missing)(`a table through containers${docker.why}`, () => {
  async function objectsOf(owners: ReadonlySet<number>): Promise<string[]> {
    const { client } = await docker.engine;
    const filters = { label: [labels.owner] };
    const [containers, networks, { Volumes }] = await Promise.all([
      client.listContainers({ all: true, filters }),
      client.listNetworks({ filters }),
      client.listVolumes({ filters }),
    ]);
    const isIts = (found: Readonly<Record<string, string>> | undefined): boolean =>
      owners.has(ownerOf(found?.[labels.owner]));
    return [
      ...containers.filter(({ Labels }) => isIts(Labels)).map(({ Names }) => `container ${Names[0]}`),
      ...networks.filter(({ Labels }) => isIts(Labels)).map(({ Name }) => `network ${Name}`),
      ...(Volumes ?? []).filter(({ Labels }) => isIts(Labels)).map(({ Name }) => `volume ${Name}`),
    ];
  }

  it('is the table of the native driver, from a server and from a file, and leaves nothing behind', async () => {
    const variants = 'native, connector-container, flight-container, columnar-container';
    const factors = `source: [postgresql, parquet], variant: [${variants}]`;
    const base = baseImage === undefined ? [] : ['--base-image', baseImage];
    const { cells, seen, left } = await run([experiment('containers', factors), ...base, '--out', 'c'], objectsOf);
    expect(cells).toHaveLength(8);
    expectWhole(cells);
    // The work of the engine for the containers is no work of other programs.
    const withPrograms = cells.filter(({ access }) => access?.variant !== 'native');
    expect(withPrograms.map(({ resources }) => resources.host?.foreignPercent)).toEqual(
      withPrograms.map(() => undefined),
    );
    for (const { parts, roles } of figuresOf(cells, 'connector-container')) {
      for (const part of ['discover', 'image', 'create', 'start', 'first-byte']) expect(parts[part]).toBeGreaterThan(0);
      expect(roles.connector?.cpuUs).toBeGreaterThan(10_000);
    }
    for (const { parts, roles } of figuresOf(cells, 'flight-container')) {
      for (const part of ['image', 'create', 'start', 'first-byte']) expect(parts[part]).toBeGreaterThan(0);
      expect(roles['flight-server']?.peakRssBytes).toBeGreaterThan(20e6);
    }
    expect(seen.map((name) => name.split(' ')[0])).toEqual(expect.arrayContaining(['container', 'network', 'volume']));
    expect(left).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe.skipIf(cluster.missing)(`a table through pods${cluster.why}`, () => {
  async function namespacesOf(owners: ReadonlySet<number>): Promise<string[]> {
    const { stdout } = await kubectl('get', 'namespaces', '-l', labels.owner, '-o', 'json');
    const { items } = JSON.parse(stdout) as {
      items: { metadata: { name: string; labels: Record<string, string> } }[];
    };
    return items.flatMap(({ metadata }) => (owners.has(ownerOf(metadata.labels[labels.owner])) ? [metadata.name] : []));
  }

  it('is the table of the native driver, from a server and from a file, and leaves nothing behind', async () => {
    // Variant D alone: it also discovers through the output of a pod, and each variant takes half a minute.
    const file = experiment('pods', 'source: [postgresql, parquet], variant: [native, flight-pod]');
    const { cells, seen, left } = await run([file, '--image', cluster.image, '--out', 'p'], namespacesOf);
    expect(cells).toHaveLength(4);
    expectWhole(cells);
    for (const { parts, roles } of figuresOf(cells, 'flight-pod')) {
      for (const part of ['discover', 'create', 'start', 'first-byte']) expect(parts[part]).toBeGreaterThan(0);
      for (const role of ['connector', 'flight-server']) expect(roles[role]?.cpuUs).toBeGreaterThan(10_000);
    }
    // A namespace for each client with programs.
    expect(seen).toHaveLength(2);
    expect(left).toEqual([]);
  }, 240_000);

  it('comes from MongoDB through pods that are kept warm', async ({ skip }) => {
    const reason = await missingServer();
    if (reason) skip(reason);
    const file = experiment(
      'warm',
      'variant: [connector-pod, flight-pod, columnar-pod]',
      'rows: 1000, source: mongodb, warm: true',
    );
    const { cells, left } = await run([file, '--image', cluster.image, '--out', 'w'], namespacesOf);
    expect(cells).toHaveLength(3);
    expectWhole(cells);
    for (const { access } of cells) {
      expect(access?.store).toMatch(/MongoDB|SecantusDB/);
      expect(access?.options.warm).toBe(true);
      // The pods exist before the clock starts.
      expect(access?.parts.create ?? 0).toBe(0);
      expect(access?.parts.read).toBeGreaterThan(0);
    }
    expect(left).toEqual([]);
  });
});

/** Why no MongoDB server can be started here. In CI a missing one is an error. */
async function missingServer(): Promise<string | undefined> {
  try {
    await requireServer({ engine: 'mongodb', url: undefined, image: undefined, flags: {} });
    return undefined;
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    return (error as Error).message;
  }
}

describe('a table through programs that this machine cannot run', () => {
  it('is refused before anything starts: it names what is missing, and the variants that are left', async () => {
    const variants = 'variant: [native, connector-process, connector-container, connector-pod]';
    const file = experiment('missing', variants);
    const env = { DOCKER_HOST: 'unix:///nowhere/docker.sock', KUBECONFIG: '/nowhere/kubeconfig', HOME: folder };
    const { code, stderr } = await topoBench(['run', file, '--out', 'm'], { cwd: folder, env });
    expect(stderr).toMatch(/connector-container: .*\/nowhere\/docker\.sock/);
    expect(stderr).toMatch(/connector-pod: .*/);
    expect(stderr).toContain('--only variant=native,connector-process');
    expect(code).toBe(3);
    expect(readdirSync(folder)).not.toContain('m');
  });

  it('names an image that the engine lacks', async (context) => {
    if (docker.missing) context.skip(docker.why);
    const file = experiment('image', 'variant: [native, connector-container]');
    const image = 'localhost:1/no/such-image:1';
    const { code, stderr } = await topoBench(['run', file, '--image', image, '--out', 'i'], { cwd: folder });
    expect(stderr).toContain(image);
    expect(stderr).toContain('--only variant=native');
    expect(code).toBe(3);
  });
});
