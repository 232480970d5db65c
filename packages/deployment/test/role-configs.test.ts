import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { architectures } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology/load-topology';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../src/plan-deployment.ts';
import { roleConfigs } from '../src/role-configs.ts';

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
function configsOf(enforcement: TopologyInput['enforcement'], options: object = {}) {
  const graph = graphOf(
    { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', nodes, services: [{ generate: 4 }], enforcement },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', ...rules },
  );
  return roleConfigs({ graph, plan: planDeployment(graph), seed: 5, secret: 's', ...options });
}

describe('configurations of roles', () => {
  it('give enforcement points the rules of their targets and everyone else none', () => {
    const rulesOf = (enforcement: TopologyInput['enforcement']) =>
      Object.fromEntries(configsOf(enforcement).map((config) => [config.name, config.rules.rules.map(({ id }) => id)]));
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
    const configs = configsOf({ architecture: 'sidecar' });
    for (const { rules: own, graph } of configs) {
      for (const rule of own.rules) expect(graph.ruleIds[rule.index]).toBe(rule.id);
    }
  });

  it.each(architectures)(
    'give a role the tokens of those it sends to, and tell no two roles the same one: %s',
    (architecture) => {
      const configs = configsOf({ architecture });
      const tokens = new Map(configs.map(({ name, token }) => [name, token]));
      expect(new Set(tokens.values()).size).toBe(configs.length);
      for (const { name, kind, peers } of configs) {
        for (const [peer, { token }] of Object.entries(peers)) {
          expect([name, peer, [tokens.get(peer), ...(kind === 'gateway' ? [''] : [])]]).toEqual([
            name,
            peer,
            expect.arrayContaining([token]),
          ]);
        }
      }
    },
  );

  it('are the same for the same secret, and share nothing with another run’s', () => {
    expect(configsOf({ architecture: 'sidecar' })).toEqual(configsOf({ architecture: 'sidecar' }));
    const [a, b] = ['s', 't'].map((secret) => configsOf({ architecture: 'sidecar' }, { secret }));
    a?.forEach((config, i) => {
      expect(config.token).not.toBe(b?.[i]?.token);
      expect(config.controlToken).not.toBe(b?.[i]?.controlToken);
      expect(config.pseudonymKey).not.toBe(b?.[i]?.pseudonymKey);
    });
  });

  it('survive the way through JSON', () => {
    const configs = configsOf({ architecture: 'dynamic-router', style: 'nested' });
    expect(JSON.parse(JSON.stringify(configs))).toEqual(configs);
    expect(configs[0]).toMatchObject({
      style: 'nested',
      inFlightCap: 4000,
      seed: 5,
      listen: { host: '127.0.0.1', port: 0 },
      traceShare: 0,
    });
  });

  it('carry addresses where they are known beforehand', () => {
    const urlOf = ({ name }: { name: string }): string => `http://${name}:8080`;
    const listen = () => ({ host: '0.0.0.0', port: 8080 });
    const [gateway] = configsOf({ architecture: 'sidecar' }, { urlOf, listen });
    expect(gateway?.peers['svc-1-sidecar']?.url).toBe('http://svc-1-sidecar:8080');
    expect(gateway?.listen).toEqual({ host: '0.0.0.0', port: 8080 });
  });
});
