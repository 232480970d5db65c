import { describe, expect, it } from 'vitest';
import { manifestsOf, named } from '../../fixtures/kubernetes.ts';

const podOf = (workloads: Parameters<typeof named>[0], name: string) => named(workloads, name).spec.template.spec;

describe('workloads on Kubernetes', () => {
  it('are one pod per role', () => {
    const { workloads } = manifestsOf('central-entity').manifests;
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual([
      'gateway',
      'central-entity',
      'svc-1',
      'svc-2',
      'svc-3',
    ]);
  });

  it('put a native sidecar into the pod of its service, on other ports', () => {
    const { workloads } = manifestsOf('sidecar').manifests;
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual(['gateway', 'svc-1', 'svc-2', 'svc-3']);
    const { initContainers, containers } = podOf(workloads, 'svc-1');
    expect(initContainers).toMatchObject([{ name: 'svc-1-sidecar', restartPolicy: 'Always' }]);
    expect(containers).toMatchObject([{ name: 'svc-1' }]);
    const ports = [...initContainers, ...containers].flatMap((container) =>
      container.ports.map(({ containerPort }: { containerPort: number }) => containerPort),
    );
    expect(ports).toHaveLength(6);
    expect(new Set(ports).size).toBe(6);
  });

  it('have a keeper of their process on a port that their policy opens, only with the option for it', () => {
    const { workloads, networkPolicies } = manifestsOf('sidecar', {}, { keepers: true }).manifests;
    const { initContainers, containers } = podOf(workloads, 'svc-1');
    const keeperOf = ({ command }: { command: string[] }) => command.slice(command.indexOf('--keeper'));
    expect([...initContainers, ...containers].map(keeperOf)).toEqual([
      ['--keeper', '8083'],
      ['--keeper', '8093'],
    ]);
    const open = JSON.stringify(named(networkPolicies, 'svc-1').spec.ingress);
    for (const port of [8081, 8083, 8091, 8093]) expect(open).toContain(`{"protocol":"TCP","port":${port}}`);
    const without = JSON.stringify(manifestsOf('sidecar').manifests);
    expect(without).not.toMatch(/keeper|:80[89]3\b/);
  });

  it('have plain sidecars where the server has no native ones', () => {
    const { workloads } = manifestsOf('sidecar', {}, { nativeSidecars: false }).manifests;
    const pod = podOf(workloads, 'svc-1');
    expect(pod.initContainers).toBeUndefined();
    expect(pod.containers).toMatchObject([{ name: 'svc-1-sidecar' }, { name: 'svc-1' }]);
    expect(pod.containers[0].restartPolicy).toBeUndefined();
  });

  it('request processor time and limit none, so that no role is throttled', () => {
    const { workloads } = manifestsOf('sidecar', { services: [{ generate: 25 }] }).manifests;
    const all = workloads.flatMap(({ metadata }) => {
      const { initContainers = [], containers } = podOf(workloads, metadata.name);
      return [...initContainers, ...containers];
    });
    expect(all).toHaveLength(51);
    expect(all.filter(({ resources }) => resources.limits !== undefined)).toEqual([]);
    const milli = all.map(({ resources }) => Number.parseInt(resources.requests.cpu, 10));
    expect(milli.reduce((sum, one) => sum + one)).toBeLessThan(1000);
  });

  it('have the limits of the topology, and no request above them', () => {
    const services = [{ generate: 1, limits: { cpus: 0.01, memory: '48MiB' } }];
    const { workloads } = manifestsOf('none', { services }).manifests;
    expect(podOf(workloads, 'svc-1').containers[0].resources).toEqual({
      requests: { cpu: '10m', memory: '49152Ki' },
      limits: { cpu: '10m', memory: '50331648' },
    });
    expect(podOf(workloads, 'gateway').containers[0].resources.limits).toBeUndefined();
  });

  it('read their documents from one folder, and only their own secrets', () => {
    const { workloads } = manifestsOf('sidecar').manifests;
    const { containers, volumes } = podOf(workloads, 'svc-2');
    expect(containers[0].command).toEqual([
      'node',
      '--no-memory-reducer',
      '/app/service.cjs',
      '--config',
      '/etc/topo-bench/config.json',
      '--secrets',
      '/etc/topo-bench/secrets.json',
      '--graph',
      '/etc/topo-bench/graph.json',
    ]);
    const mounted = containers[0].volumeMounts.map(({ name }: { name: string }) => name);
    const sources = volumes
      .filter(({ name }: { name: string }) => mounted.includes(name))
      .flatMap(({ projected }: { projected?: { sources: object[] } }) => projected?.sources ?? []);
    expect(sources).toEqual([
      { configMap: { name: 'graph' } },
      { configMap: { name: 'svc-2-config' } },
      { secret: { name: 'svc-2-secrets' } },
    ]);
  });

  it('are spread over the cluster, or placed on the labelled nodes', () => {
    const nodes = [
      { name: 'eu-1', region: 'eu' },
      { name: 'us-1', region: 'us' },
    ];
    const services = [
      { name: 'svc-1', node: 'eu-1' },
      { name: 'svc-2', node: 'us-1' },
    ];
    const spread = podOf(manifestsOf('none', { nodes, services }).manifests.workloads, 'svc-2');
    expect(spread.topologySpreadConstraints).toMatchObject([
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { run: 'r1' } } },
    ]);
    const { workloads } = manifestsOf('none', { nodes, services }, { nodes: 'labelled' }).manifests;
    const chosen = ['svc-1', 'svc-2'].map((name) => podOf(workloads, name).nodeSelector['dev.topo-bench.node']);
    expect(chosen).toEqual(['eu-1', 'us-1']);
  });
});
