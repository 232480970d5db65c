import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { manifestsOf, named } from '../../fixtures/kubernetes.ts';

describe('documents in ConfigMaps and Secrets', () => {
  it('are the documents of the roles, secrets apart', () => {
    const { documents, manifests } = manifestsOf('sidecar');
    expect(JSON.parse(named(manifests.configMaps, 'graph').data['graph.json'])).toEqual(
      JSON.parse(JSON.stringify(documents.graph)),
    );
    for (const { config, secrets } of documents.roles) {
      const configMap = named(manifests.configMaps, `${config.name}-config`);
      expect(JSON.parse(configMap.data['config.json'])).toEqual(JSON.parse(JSON.stringify(config)));
      const secret = named(manifests.secrets, `${config.name}-secrets`);
      expect(JSON.parse(secret.stringData['secrets.json'])).toEqual(secrets);
    }
  });

  it('leave no secret in any other object', () => {
    const { documents, manifests } = manifestsOf('sidecar');
    const { secrets, ...committed } = manifests;
    const text = JSON.stringify(committed);
    for (const { secrets: own } of documents.roles) {
      expect(JSON.stringify(secrets)).toContain(own.token);
      for (const value of [own.token, own.controlToken, own.clientToken, own.digestKey])
        expect(text).not.toContain(value);
    }
  });

  it('are compressed where they are large, and read under the name of the file', () => {
    const { documents, manifests } = manifestsOf('central-entity', { services: [{ generate: 1000 }] });
    const { binaryData } = named(manifests.configMaps, 'graph');
    expect(JSON.parse(gunzipSync(Buffer.from(binaryData['graph.json.gz'], 'base64')).toString())).toEqual(
      JSON.parse(JSON.stringify(documents.graph)),
    );
    const { command } = named(manifests.workloads, 'svc-7').spec.template.spec.containers[0];
    expect(command).toContain('/etc/topo-bench/graph.json.gz');
  });

  it('fit into their objects for a thousand services with sidecars, in seconds', () => {
    const started = performance.now();
    const { manifests } = manifestsOf('sidecar', { services: [{ generate: 1000 }] });
    const sizes = manifests.configMaps.map((object) => JSON.stringify(object).length);
    expect(sizes).toHaveLength(2002);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
