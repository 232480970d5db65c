import { architectures } from '@topo-bench/core';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { type Graph, graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { deploymentDocuments } from '../src/deployment-documents.ts';
import type { Placement } from '../src/placement.ts';
import { planDeployment } from '../src/plan-deployment.ts';
import { loopback } from './fixtures/loopback.ts';

const rules = {
  rules: [
    {
      id: 'one',
      forEach: 'services' as const,
      when: { fact: 'request' as const, path: '$.origin', operator: 'equal', value: 'x' },
      effect: 'deny' as const,
    },
    {
      id: 'us-only',
      when: { fact: 'target' as const, path: '$.region', operator: 'equal', value: 'us' },
      effect: 'deny' as const,
    },
  ],
};
const nodes = [
  { name: 'a', region: 'eu' },
  { name: 'b', region: 'us' },
];
function testGraph(enforcement: TopologyInput['enforcement'], services: TopologyInput['services']): Graph {
  return graphOf(
    { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', nodes, services, enforcement },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', ...rules },
  );
}

function documentsOf(enforcement: TopologyInput['enforcement'], options: object = {}) {
  const graph = testGraph(enforcement, [{ generate: 4 }]);
  return deploymentDocuments({ graph, plan: planDeployment(graph), seed: 5, secret: 's', place: loopback, ...options });
}

describe('documents of a deployment', () => {
  it('give enforcement points the rules of their targets and everyone else none', () => {
    const rulesOf = (enforcement: TopologyInput['enforcement']) =>
      Object.fromEntries(
        documentsOf(enforcement).roles.map(({ config }) => [config.name, config.rules.rules.map(({ id }) => id)]),
      );
    const each = [1, 2, 3, 4].map((i) => `one@svc-${i}`);
    expect(rulesOf({ architecture: 'central-entity' })).toMatchObject({
      gateway: [],
      'central-entity': [...each, 'us-only'],
      'svc-1': [],
    });
    expect(rulesOf({ architecture: 'dynamic-router', routers: 2 })).toMatchObject({
      'router-1': ['one@svc-1', 'one@svc-2'],
      'router-2': ['one@svc-3', 'one@svc-4', 'us-only'],
    });
    expect(rulesOf({ architecture: 'sidecar' })).toMatchObject({
      'svc-1-sidecar': ['one@svc-1'],
      'svc-4-sidecar': ['one@svc-4', 'us-only'],
    });
  });

  it('keep the index of a rule in the whole set, as it travels', () => {
    const { graph, roles } = documentsOf({ architecture: 'sidecar' });
    const rules = roles.flatMap(({ config }) => config.rules.rules);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.map(({ id }) => id)).toEqual(rules.map(({ index }) => graph.ruleIds[index]));
  });

  it.each(architectures)(
    'give a role the tokens of those it sends to, and no two roles the same one: %s',
    (architecture) => {
      const { roles } = documentsOf({ architecture });
      const tokens = new Map(roles.map(({ config, secrets }) => [config.name, secrets.token]));
      expect(new Set(tokens.values()).size).toBe(roles.length);
      for (const { config, secrets } of roles) {
        for (const [peer, token] of Object.entries(secrets.peerTokens))
          expect([peer, token]).toEqual([peer, tokens.get(peer)]);
        // The gateway knows all roles, and sends data to the first of a flow only.
        if (config.kind !== 'gateway')
          expect(new Set(Object.keys(secrets.peerTokens))).toEqual(new Set(Object.keys(config.peers)));
      }
    },
  );

  it('are the same for the same secret, and share none with another run', () => {
    expect(documentsOf({ architecture: 'sidecar' })).toEqual(documentsOf({ architecture: 'sidecar' }));
    const [a, b] = ['s', 't'].map((secret) => documentsOf({ architecture: 'sidecar' }, { secret }).roles);
    a?.forEach(({ secrets }, i) => {
      for (const name of ['token', 'clientToken', 'controlToken', 'pseudonymKey', 'digestKey'] as const)
        expect([name, secrets[name]]).not.toEqual([name, b?.[i]?.secrets[name]]);
    });
  });

  it('have their secrets in one document of each role alone', () => {
    const services = [
      { generate: 3 },
      { name: 'kept', persistence: { store: 'sql-indexed' } },
    ] as TopologyInput['services'];
    const graph = testGraph({ architecture: 'sidecar' }, services);
    const storeUrls = { kept: 'postgresql://user:password@host/items' };
    const documents = deploymentDocuments({
      graph,
      plan: planDeployment(graph),
      seed: 5,
      secret: 's',
      place: loopback,
      storeUrls,
    });
    const open = JSON.stringify([documents.graph, documents.roles.map(({ config }) => config)]);
    const secrets = documents.roles.flatMap(({ secrets: { peerTokens, store, ...others } }) => [
      ...Object.values(peerTokens),
      ...Object.values(store ?? {}),
      ...Object.values(others),
    ]);
    expect(secrets).toContain(storeUrls.kept);
    expect(secrets.filter((secret) => open.includes(secret))).toEqual([]);
  });

  it('carry the password and certificates of a Flight endpoint to its service alone', () => {
    const flight = { password: 'p', tls: { certificate: 'c', key: 'k' } };
    const options = { flightSecrets: { 'svc-2': flight } };
    const { roles } = documentsOf({ architecture: 'sidecar' }, options);
    expect(roles.flatMap(({ config, secrets }) => (secrets.flight ? [[config.name, secrets.flight]] : []))).toEqual([
      ['svc-2', flight],
    ]);
  });

  it('survive the way through JSON', () => {
    const documents = documentsOf({ architecture: 'dynamic-router', style: 'nested' });
    expect(JSON.parse(JSON.stringify(documents))).toEqual(documents);
    expect(documents.roles[0]?.config).toMatchObject({
      style: 'nested',
      inFlightCap: 4000,
      seed: 5,
      listen: { host: '127.0.0.1', port: 0 },
      traceShare: 0,
    });
  });

  it('carry the addresses of the placement', () => {
    const place: Placement = {
      listen: ({ kind }) => ({ host: '0.0.0.0', port: 8080, ...(kind === 'service' && { flightPort: 8815 }) }),
      urlOf: ({ name }) => `http://${name}:8080`,
      storeUrl: (url) => url.replace('localhost', 'host.internal'),
      network: 'real',
    };
    const services = [
      { generate: 1 },
      { name: 'kept', persistence: { store: 'sql-indexed' } },
    ] as TopologyInput['services'];
    const graph = testGraph({ architecture: 'sidecar' }, services);
    const storeUrls = { kept: 'postgresql://user@localhost/items' };
    const options = { graph, plan: planDeployment(graph), seed: 5, secret: 's', storeUrls, place };
    const { roles } = deploymentDocuments(options);
    const gateway = roles[0]?.config;
    expect(gateway?.peers['svc-1-sidecar']?.url).toBe('http://svc-1-sidecar:8080');
    expect(gateway?.listen).toEqual({ host: '0.0.0.0', port: 8080 });
    const kept = roles.find(({ config }) => config.name === 'kept');
    expect(kept?.config.listen.flightPort).toBe(8815);
    expect(kept?.secrets.store?.url).toBe('postgresql://user@host.internal/items');
  });
});
