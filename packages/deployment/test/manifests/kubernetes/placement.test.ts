import { describe, expect, it } from 'vitest';
import { inPods } from '../../../src/manifests/kubernetes/index.ts';
import { manifestsOf, named } from '../../fixtures/kubernetes.ts';

describe('addresses in pods', () => {
  it('are those of the Services, and loopback inside a pod', () => {
    const { documents } = manifestsOf('sidecar');
    const configOf = (name: string) => documents.roles.find(({ config }) => config.name === name)!.config;
    expect(configOf('svc-1-sidecar').peers).toMatchObject({
      'svc-1': { url: 'http://127.0.0.1:8090' },
      'svc-2-sidecar': { url: 'http://svc-2-sidecar:8080' },
    });
    expect(configOf('gateway').peers).toMatchObject({ 'svc-1': { url: 'http://svc-1:8080' } });
  });

  it('lead through a Service to the port that the role listens on', () => {
    const { plan, documents, manifests } = manifestsOf('sidecar');
    for (const role of plan.roles) {
      const { listen } = documents.roles.find(({ config }) => config.name === role.name)!.config;
      const { ports, selector } = named(manifests.services, role.name).spec;
      expect(ports).toMatchObject([
        { port: 8080, targetPort: listen.port },
        { port: 8081, targetPort: listen.controlPort },
        { port: 8815, targetPort: listen.flightPort },
      ]);
      const pod = named(manifests.workloads, selector['dev.topo-bench.pod']).spec.template;
      expect(pod.metadata.labels).toMatchObject(selector);
      const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
      expect(containers.map(({ name }: { name: string }) => name)).toContain(role.name);
    }
  });

  it('have delays of their own', () => {
    expect(inPods(manifestsOf('none').plan).network).toBe('real');
  });
});
