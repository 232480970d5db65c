import { readdirSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubectl, kubectlOrSkip } from '../../../../test/fixtures/kubectl.ts';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { root, topoBench } from '../../../../test/fixtures/topo-bench.ts';

// An API server that shares its cores with other tests takes some seconds for a project.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const tool = await kubectlOrSkip('version', '--client');
const cluster = await kubectlOrSkip('get', '--raw', '/readyz', '--request-timeout=10s');

interface Object {
  kind: string;
  metadata: { name: string };
  spec?: { type?: string; template?: { spec?: { nodeSelector?: object; topologySpreadConstraints?: unknown[] } } };
}

const objectsOf = (text: string): Object[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS() as Object);
const keyOf = ({ kind, metadata }: Object): string => `${kind} ${metadata.name}`;
const sorted = (objects: readonly Object[]): Object[] =>
  objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));

const folder = temporaryFolder();
const topology = 'quickstart';

/** The committed project as in a fresh clone, with secrets made by the command in its head. */
beforeAll(async () => {
  if (tool.missing) return;
  // Committed projects name the default image.
  delete process.env.TOPO_BENCH_IMAGE;
  await cp(join(root, 'k8s', topology), folder, { recursive: true, filter: (path) => !path.endsWith('/secrets') });
  const head = await readFile(join(folder, 'base/kustomization.yaml'), 'utf8');
  const [, command = ''] = /^# {3}topo-bench (generate .*)$/m.exec(head) ?? [];
  const { code, stdout } = await topoBench([...command.split(' '), '--json'], { cwd: folder });
  expect(code).toBe(0);
  const { files } = JSON.parse(stdout) as { files: { path: string; change: string }[] };
  const committed = files.filter(({ path }) => !path.startsWith('secrets/'));
  expect(new Set(committed.map(({ change }) => change))).toEqual(new Set(['unchanged']));
});

describe.skipIf(tool.missing)(`k8s/${topology}${tool.why}`, () => {
  it('is built by kubectl from the objects in its files, each of them once', async () => {
    const files = ['base', 'secrets'].flatMap((name) =>
      readdirSync(join(folder, name))
        .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
        .map((file) => join(folder, name, file)),
    );
    const written = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).flatMap(objectsOf);
    expect(written.length).toBeGreaterThan(60);
    const { stdout } = await kubectl('kustomize', join(folder, 'base'));
    expect(sorted(objectsOf(stdout))).toEqual(sorted(written));
  });

  it('places its pods on labelled nodes, and opens a port of the nodes, by its overlays', async () => {
    const built = async (overlay: string): Promise<Object[]> =>
      objectsOf((await kubectl('kustomize', join(folder, 'overlays', overlay))).stdout);
    const deployments = (await built('labelled-nodes')).filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength(8);
    for (const { spec } of deployments) {
      expect(spec?.template?.spec?.nodeSelector).toHaveProperty(['dev.topo-bench.node']);
      expect(spec?.template?.spec?.topologySpreadConstraints).toBeUndefined();
    }
    const services = (await built('node-port')).filter(({ kind }) => kind === 'Service');
    expect(services.filter(({ spec }) => spec?.type === 'NodePort').map(({ metadata }) => metadata.name)).toEqual([
      'gateway',
    ]);
  });
});

describe.skipIf(tool.missing || cluster.missing)(`k8s/${topology} on an API server${cluster.why}`, () => {
  const namespace = `topo-bench-test-${process.pid}`;

  beforeAll(async () => {
    await kubectl('create', 'namespace', namespace);
    const level = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
    await kubectl('label', 'namespace', namespace, ...level);
  });

  afterAll(async () => {
    await kubectl('delete', 'namespace', namespace, '--wait=true');
  });

  it.each(['base', 'overlays/labelled-nodes', 'overlays/node-port'])(
    'is admitted under restricted pod security, without a warning: %s',
    async (project) => {
      const own = join(folder, `test-${project.replace('/', '-')}`);
      await mkdir(own, { recursive: true });
      await writeFile(join(own, 'kustomization.yaml'), `namespace: ${namespace}\nresources: [../${project}]\n`);
      const { stdout, stderr } = await kubectl('apply', '--dry-run=server', '--validate=strict', '-k', own);
      const lines = stdout.trim().split('\n');
      expect(lines.filter((line) => !/ (created|configured) \(server dry run\)$/.test(line))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('deployment.apps/'))).toHaveLength(8);
      // The namespace was not made by this command.
      const warnings = stderr.split('\n').filter((line) => line.startsWith('Warning: '));
      expect(warnings.filter((line) => !line.includes(`namespaces/${namespace} is missing`))).toEqual([]);
    },
  );
});
