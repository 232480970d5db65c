import { architectures } from '@topo-bench/core';
import { type Graph, graphOf } from '@topo-bench/topology';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import {
  type KustomizeOptions,
  kustomizeFiles,
  kustomizeSecrets,
  type ManifestFile,
} from '../../src/manifests/index.ts';
import { planDeployment } from '../../src/plan-deployment.ts';

interface Object {
  kind: string;
  metadata: { name: string; namespace?: string };
  spec?: { template?: { spec?: { nodeSelector?: Record<string, string> } } };
}

function options(graph: Graph): KustomizeOptions {
  const origin = { version: '1.2.3', command: 'topo-bench generate t' };
  return { graph, plan: planDeployment(graph), seed: 1, origin, image: 'some/image:1', request: '{}' };
}

function graph(services: object[], architecture = 'sidecar', nodes = 2): Graph {
  return graphOf({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 't',
    nodes: Array.from({ length: nodes }, (_, i) => ({ name: `n-${i + 1}`, region: 'eu' })),
    services: services as [],
    enforcement: { architecture: architecture as 'sidecar' },
  });
}

function objectsOf(files: readonly ManifestFile[]): Object[] {
  const manifests = files.filter(({ path }) => !path.endsWith('kustomization.yaml') && !path.startsWith('overlays/'));
  return manifests.flatMap(({ text }) =>
    parseAllDocuments(text, { version: '1.1' }).map((one) => one.toJS() as Object),
  );
}

const small = options(graph([{ name: 'on' }, { name: 'Order_Entry' }]));

describe('a Kustomize project', () => {
  it('names every file of its base, and the folder with its secrets', () => {
    const files = kustomizeFiles(small);
    const { resources } = parse(files.find(({ path }) => path === 'base/kustomization.yaml')!.text);
    const written = files.map(({ path }) => path).filter((path) => path.startsWith('base/'));
    const named = (resources as string[]).filter((path) => path !== '../secrets').map((path) => `base/${path}`);
    expect(['base/kustomization.yaml', ...named].sort()).toEqual(written.sort());
    const secrets = kustomizeSecrets({ ...small, secret: 's' });
    expect(secrets.map(({ path }) => path)).toContain('secrets/kustomization.yaml');
  });

  it('has all Secrets in the folder that is not committed, and no token elsewhere', () => {
    const committed = kustomizeFiles(small);
    const secrets = kustomizeSecrets({ ...small, secret: 's' });
    expect(objectsOf(committed).filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(objectsOf(secrets.filter(({ path }) => path.endsWith('.yaml'))).map(({ kind }) => kind)).toEqual(
      small.plan.roles.map(() => 'Secret'),
    );
    expect(secrets.every(({ path }) => path.startsWith('secrets/'))).toBe(true);
    const tokens = secrets.flatMap(({ text }) => text.match(/[\w-]{43}/g) ?? []);
    expect(tokens.length).toBeGreaterThan(10);
    for (const token of tokens) for (const { text } of committed) expect(text).not.toContain(token);
  });

  it('is the same every time', () => {
    expect(kustomizeFiles(options(graph([{ name: 'a' }])))).toEqual(kustomizeFiles(options(graph([{ name: 'a' }]))));
  });

  it('places every pod on its node of the topology in the overlay for labelled nodes', () => {
    const patches = kustomizeFiles(small).find(({ path }) => path === 'overlays/labelled-nodes/node-selectors.yaml')!;
    const placed = parseAllDocuments(patches.text).map((one) => one.toJS() as Object);
    const nodeOf = (name: string): string => {
      const role = small.plan.roles.find((one) => one.name.toLowerCase() === name || name.startsWith('order'));
      return `n-${role!.node + 1}`;
    };
    const deployments = objectsOf(kustomizeFiles(small)).filter(({ kind }) => kind === 'Deployment');
    expect(placed.map(({ metadata }) => metadata)).toEqual(
      deployments.map(({ metadata: { name, namespace } }) => ({ name, namespace })),
    );
    const gateway = placed.find(({ metadata }) => metadata.name === 'gateway')!;
    expect(gateway.spec?.template?.spec?.nodeSelector).toEqual({ 'dev.topo-bench.node': nodeOf('gateway') });
  });

  it('refuses services that only this machine can start', () => {
    expect(() => kustomizeFiles(options(graph([{ name: 'own', command: 'node server.js' }, { name: 'b' }])))).toThrow(
      /own: got a service with `command`/,
    );
  });
});

describe.each(architectures)('a topology of 1000 services with long names: %s', (architecture) => {
  const prefix = 'a-service-with-a-name-that-is-as-long-as-names-may-become-0';
  let files: ManifestFile[] = [];
  let elapsedMs = 0;

  beforeAll(() => {
    const large = options(graph([{ generate: 1000, prefix }], architecture, 200));
    const start = process.cpuUsage();
    files = [...kustomizeFiles(large), ...kustomizeSecrets({ ...large, secret: 's' })];
    const { user, system } = process.cpuUsage(start);
    elapsedMs = (user + system) / 1000;
  });

  it('is generated in less than 5 s of processor time', () => {
    expect(elapsedMs).toBeLessThan(5000);
  });

  it('has objects that fit into etcd, and names that fit into labels', () => {
    const texts = files.filter(({ path }) => /^(base|secrets)\//.test(path)).flatMap(({ text }) => text.split('---\n'));
    expect(texts.length).toBeGreaterThan(4000);
    for (const text of texts) expect(text.length).toBeLessThan(1024 ** 2);
    const names = files.flatMap(({ text }) => [...text.matchAll(/^ {2}name: (\S+)$/gm)].map(([, name]) => name!));
    expect(names.filter((name) => name.length > 63 && !/-(config|secrets)$/.test(name))).toEqual([]);
    expect(names.filter((name) => name.length > 253)).toEqual([]);
  });
});
