/** The deployment of the start-up benchmark: a chain of services with a sidecar each, and the gateway. */

import type { RoleConfig } from '@topo-bench/core/role-config';
import type { Framework } from '@topo-bench/core/schema/topology';
import { planDeployment, toRoleGraph } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology/load-topology';

/** @returns 2 × `services` + 1 roles, the gateway first */
export function sidecarConfigs(services: number, framework: Framework): RoleConfig[] {
  const graph = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 'start-up',
      nodes: [{ name: 'n1', region: 'eu' }],
      services: [{ generate: services, prefix: 'svc' }],
      framework,
      enforcement: { architecture: 'sidecar' },
    },
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'start-up',
      rules: [
        {
          id: 'eu-only',
          forEach: 'services',
          when: { all: [{ fact: 'request', path: '$.origin', operator: 'equal', value: 'nowhere' }] },
          effect: 'deny',
        },
      ],
    },
  );
  const plan = planDeployment(graph);
  const roleGraph = toRoleGraph(graph, plan);
  return plan.roles.map(({ name, kind, node, responsibleFor, peers }) => ({
    name,
    kind,
    listen: { host: '127.0.0.1', port: 0 },
    framework,
    style: 'forward',
    engine: 'compiled',
    token: `token-${name}`,
    clientToken: 'client',
    controlToken: 'control',
    pseudonymKey: 'key',
    digestKey: 'key',
    peers: Object.fromEntries(peers.map((peer) => [peer, { token: `token-${peer}`, node: 0 }])),
    graph: roleGraph,
    node,
    responsibleFor: [...responsibleFor],
    rules: {
      ...graph.rules,
      // Each sidecar has the rule of its service, as forEach made them in order.
      rules: kind === 'sidecar' ? graph.rules.rules.filter(({ index }) => responsibleFor.includes(index)) : [],
    },
    seed: 1,
    deadlines: { hopUs: 5e6, requestUs: 30e6 },
    traceShare: 0,
    inFlightCap: 1000,
  }));
}
