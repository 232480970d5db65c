import { describe, expect, it } from 'vitest';
import { hostNameOf } from '../../../src/host-name.ts';
import { generatorPod, generatorRole, generatorSecret } from '../../../src/manifests/kubernetes/index.ts';
import { manifestsOf, named } from '../../fixtures/kubernetes.ts';

const options = { namespace: 'run-1', image: 'topo-bench/service:1', labels: { 'dev.topo-bench.run': 'run-1' } };

describe('load generators on Kubernetes', () => {
  it('have the pod security of roles', () => {
    const role = named(manifestsOf('none').manifests.workloads, 'svc-1').spec.template.spec;
    // biome-ignore lint/suspicious/noExplicitAny: plain data of the API
    const { spec } = generatorPod(0, options) as any;
    for (const field of ['securityContext', 'automountServiceAccountToken', 'enableServiceLinks'])
      expect(spec[field]).toEqual(role[field]);
    expect(spec.containers[0].securityContext).toEqual(role.containers[0].securityContext);
    expect(spec.restartPolicy).toBe('Never');
  });

  it('read the token from the secret that they mount', () => {
    const secret = generatorSecret('abc', options);
    // biome-ignore lint/suspicious/noExplicitAny: plain data of the API
    const { spec } = generatorPod(3, options) as any;
    expect(spec.volumes).toContainEqual({ name: 'token', secret: { secretName: secret.metadata.name } });
    const [file] = Object.keys(secret.stringData as object);
    expect(spec.containers[0].command).toContain(`${spec.containers[0].volumeMounts[0].mountPath}/${file}`);
    expect(JSON.stringify(spec)).not.toContain('abc');
  });

  it('are never taken for a role, whatever its name', () => {
    for (const name of ['load-generator-0', 'load-generator.0', generatorRole(0)])
      expect(hostNameOf(name)).not.toBe(generatorRole(0));
  });
});
