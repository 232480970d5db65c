import type { RulesInput } from '@topo-bench/core/schema/rules';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { effectiveRouters, type Graph, graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deploymentGraph } from '../src/deployment-graph.ts';
import type { DeploymentPlan, RolePlan } from '../src/deployment-plan.ts';
import { planDeployment } from '../src/plan-deployment.ts';
import { plannedHops } from '../src/planned-hops.ts';
import { plannedWork } from '../src/planned-work.ts';
import { roleConfig } from '../src/role-config.ts';
import { roleSecrets } from '../src/role-secrets.ts';
import { ruleChange } from '../src/rule-change.ts';
import { ruleMessages } from '../src/rule-stages.ts';
import { loopback } from './fixtures/loopback.ts';

const topology = (input: Partial<TopologyInput> = {}): TopologyInput => ({
  apiVersion: 'topo-bench/v1',
  kind: 'Topology',
  name: 'planned',
  services: [{ generate: 6 }],
  ...input,
});
const studyNodes = ['node-1', 'node-2', 'node-3', 'node-4'].map((name, i) => ({ name, region: 'eu', services: i > 0 }));

function planOf(
  architecture: string,
  input: Partial<TopologyInput> = {},
  rules?: RulesInput,
): { graph: Graph; plan: DeploymentPlan } {
  const graph = graphOf(topology(input), rules, { factors: { architecture } });
  return { graph, plan: planDeployment(graph) };
}
const role = ({ roles }: DeploymentPlan, name: string): RolePlan => roles.find((one) => one.name === name)!;
const routers = ({ roles }: DeploymentPlan): RolePlan[] => roles.filter(({ kind }) => kind === 'router');

describe('gateways', () => {
  const input: Partial<TopologyInput> = {
    nodes: ['eu', 'eu', 'us', 'asia'].map((region, i) => ({ name: `n${i}`, region, services: region !== 'asia' })),
    gateway: { node: 'n1' },
    gateways: 'per region',
    services: [
      { name: 'a', node: 'n0' },
      { name: 'b', node: 'n2' },
    ],
    requests: { classes: [{ name: 'c', origin: { us: 3, asia: 1 } }] },
  };

  it('are one for each region, and only requests of a region reach its gateway', () => {
    const { graph, plan } = planOf('sidecar', input);
    const gateways = plan.roles.filter(({ kind }) => kind === 'gateway');
    expect(gateways.map(({ name, node, peers }) => [name, node, peers])).toEqual([
      ['gateway', 1, ['a-sidecar']],
      ['gateway-us', 2, ['a-sidecar']],
      ['gateway-asia', 3, ['a-sidecar']],
    ]);
    expect([...role(plan, 'b-sidecar').peers].sort()).toEqual(['b', ...gateways.map(({ name }) => name)].sort());
    const messages = new Map(plannedWork(graph, plan).map((work) => [work.name, work.messages]));
    expect(gateways.map(({ name }) => messages.get(name))).toEqual([0, 3 * 0.75, 3 * 0.25]);
    expect(gateways.map(({ name }) => plannedHops(graph, plan, name).betweenNodes)).toEqual([3, 2, 3]);
  });

  it('stand with the central entity in the region of the first alone', () => {
    const { plan } = planOf('central-entity', input);
    expect(role(plan, 'central-entity').node).toBe(1);
    expect([...role(plan, 'central-entity').peers].sort()).toEqual(['a', 'b', 'gateway', 'gateway-asia', 'gateway-us']);
  });

  it('get changed rules first, and stamps when all points have them', () => {
    const { graph, plan } = planOf('central-entity', { ...input, enforcement: { consistency: 'versioned' } });
    const stages = ruleMessages(ruleChange(graph, plan, 1));
    const all = ['gateway', 'gateway-us', 'gateway-asia'];
    expect(stages.map((stage) => stage.map(({ to }) => to))).toEqual([all, ['central-entity'], all]);
    const fetched = { consistency: 'versioned', distribution: 'stream' } as const;
    const other = planOf('central-entity', { ...input, enforcement: fetched });
    const byFetching = ruleMessages(ruleChange(other.graph, other.plan, 1));
    expect(byFetching.map((stage) => stage.map(({ to }) => to))).toEqual([all.slice(1), ['gateway'], all.slice(1)]);
  });
});

describe('a router that takes over', () => {
  const rule = (service: string) => ({
    ...{ id: service, effect: 'deny' as const },
    when: { fact: 'target' as const, path: '$.service', operator: 'equal', value: service },
  });
  const rules: RulesInput = {
    ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r' },
    rules: ['svc-1', 'svc-3', 'svc-6'].map(rule),
  };
  const input = (takeover: boolean): Partial<TopologyInput> => {
    return { nodes: studyNodes, enforcement: { resilience: { takeover } } };
  };
  const { graph, plan } = planOf('dynamic-router-3', input(true), rules);
  const configOf = (name: string) => {
    const options = { graph, plan, seed: 1, place: loopback, secret: 'hidden' };
    return { ...roleConfig(role(plan, name), options), ...roleSecrets(role(plan, name), options) };
  };

  it('is the next one, and the first after the last', () => {
    expect(plan.takeover).toEqual({ 'router-1': 'router-2', 'router-2': 'router-3', 'router-3': 'router-1' });
    expect(routers(plan).map(({ responsibleFor, takesOver }) => [responsibleFor, takesOver])).toEqual([
      [
        [0, 1],
        [4, 5],
      ],
      [
        [2, 3],
        [0, 1],
      ],
      [
        [4, 5],
        [2, 3],
      ],
    ]);
  });

  it('has the rules, tokens and addresses for the services of both, before and after a change', () => {
    const { rules: own, peers, peerTokens, takesOver } = configOf('router-2');
    expect(takesOver).toEqual([0, 1]);
    expect(own.rules.map(({ id }) => id)).toEqual(['svc-1', 'svc-3']);
    const changed = ruleChange(graph, plan, 1).parts['router-2'];
    expect(changed?.rules.map(({ id }) => id)).toEqual(['svc-1', 'svc-3']);
    const services = Object.keys(peers).filter((name) => name.startsWith('svc-'));
    expect(services).toEqual(['svc-1', 'svc-2', 'svc-3', 'svc-4']);
    expect(peerTokens['svc-1']).toBe(configOf('svc-1').token);
  });

  it('is reached by the callers of both', () => {
    expect(role(plan, 'gateway').peers).toEqual(['router-1', 'router-2']);
    expect(role(plan, 'router-1').peers.filter((name) => name.startsWith('router'))).toEqual(['router-2', 'router-3']);
  });

  it('is none by default: each router has the rules of its own services alone', () => {
    const { plan: without, graph: alone } = planOf('dynamic-router-3', input(false), rules);
    expect(without.takeover).toBeUndefined();
    expect(role(without, 'gateway').peers).toEqual(['router-1']);
    const config = roleConfig(role(without, 'router-2'), { graph: alone, plan: without, seed: 1, place: loopback });
    expect(config.rules.rules.map(({ id }) => id)).toEqual(['svc-3']);
    expect(config.takesOver).toBeUndefined();
  });
});

describe('replicas', () => {
  const replicated = (architecture: string) =>
    planOf(architecture, { services: [{ generate: 4 }], nodes: studyNodes, enforcement: { replicas: 2 } });

  it('are roles of their own, on the node of their point, and peers of all of its callers', () => {
    const { graph, plan } = replicated('dynamic-router-2');
    const [first, second] = [routers(plan).slice(0, 2), routers(plan).slice(2)];
    expect(first.map(({ name }) => name)).toEqual(['router-1', 'router-1-2']);
    expect(second.map(({ name }) => name)).toEqual(['router-2', 'router-2-2']);
    for (const [one, other] of [first, second]) expect({ ...other, name: one?.name }).toEqual(one);
    expect(role(plan, 'gateway').peers).toEqual(['router-1', 'router-1-2']);
    expect(role(plan, 'router-1-2').peers).toEqual([
      ...['gateway', 'svc-1', 'svc-2', 'svc-3'],
      ...['router-2', 'router-2-2'],
    ]);
    expect(plan.executorOf).toEqual(['router-1', 'router-1', 'router-1', 'router-2']);
    expect(deploymentGraph(graph, plan, 'real').replicas).toEqual({
      spread: 'round-robin',
      names: { 'router-1': ['router-1', 'router-1-2'], 'router-2': ['router-2', 'router-2-2'] },
    });
  });

  it('of the central entity have all rules and tokens, and share the work of a request', () => {
    const { graph, plan } = replicated('central-entity');
    const options = { graph, plan, seed: 1, place: loopback, secret: 'hidden' };
    const [first, second] = ['central-entity', 'central-entity-2'].map((name) => {
      return { ...roleConfig(role(plan, name), options), ...roleSecrets(role(plan, name), options) };
    });
    expect({ ...second, name: first?.name, token: first?.token }).toEqual(first);
    expect(second?.token).not.toBe(first?.token);
    const whole = plannedWork(graph, planOf('central-entity', { services: [{ generate: 4 }], nodes: studyNodes }).plan);
    const shared = plannedWork(graph, plan);
    const of = (name: string, work: typeof whole) => work.find((one) => one.name === name)?.messages ?? 0;
    expect(of('central-entity-2', shared)).toBe(of('central-entity', whole) / 2);
    expect(of('gateway', shared)).toBe(of('gateway', whole));
    expect(plannedHops(graph, plan).perRequest).toBe(6);
  });

  it('take over for each other: they have the rules and peers for it', () => {
    const { graph, plan } = planOf('central-entity', {
      enforcement: { replicas: 2, resilience: { takeover: true } },
    });
    expect(deploymentGraph(graph, plan, 'real').takeover).toEqual({ 'central-entity': 'central-entity' });
    const without = planOf('central-entity', { enforcement: { replicas: 2 } }).plan;
    expect(plan.roles).toEqual(without.roles);
  });

  it('are none under sidecars and without enforcement', () => {
    for (const architecture of ['sidecar', 'none']) {
      const { plan } = replicated(architecture);
      expect(plan).toEqual(planOf(architecture, { services: [{ generate: 4 }], nodes: studyNodes }).plan);
    }
  });
});

describe('routers', () => {
  it.each([
    [
      3,
      [
        [1, [0, 1]],
        [2, [2, 3]],
        [3, [4, 5]],
      ],
    ],
    [
      6,
      [
        [1, [0]],
        [1, [1]],
        [2, [2]],
        [2, [3]],
        [3, [4]],
        [3, [5]],
      ],
    ],
    [
      2,
      [
        [1, [0, 1, 2, 3]],
        [3, [4, 5]],
      ],
    ],
    [1, [[1, [0, 1, 2, 3, 4, 5]]]],
  ])('of a study with the gateway alone on a node are placed with the services: k = %i', (k, expected) => {
    const { plan } = planOf(`dynamic-router-${k}`, { nodes: studyNodes });
    expect(routers(plan).map(({ node, responsibleFor }) => [node, responsibleFor])).toEqual(expected);
  });

  it('are two per service node with 50 services and k = 6', () => {
    const { plan } = planOf('dynamic-router-6', { nodes: studyNodes, services: [{ generate: 50 }] });
    expect(routers(plan).map(({ node, responsibleFor }) => [node, responsibleFor.length])).toEqual([
      [1, 9],
      [1, 8],
      [2, 9],
      [2, 8],
      [3, 8],
      [3, 8],
    ]);
  });

  it('are as many as there are services at most', () => {
    expect(effectiveRouters(9, 5)).toBe(5);
    expect(routers(planOf('dynamic-router-9', { services: [{ generate: 5 }] }).plan)).toHaveLength(5);
  });

  it('count alternatives as services, and nodes without services not at all', () => {
    const nodes = ['gateway-only', 'one', 'idle', 'two'].map((name, i) => ({ name, region: 'eu', services: i > 0 }));
    const services = [
      { name: 'a', node: 'one' },
      { name: 'b', node: 'two' },
      { name: 'b-eu', node: 'two', role: 'alternative' as const },
    ];
    const rules: RulesInput = {
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'r',
      rules: [
        {
          id: 'r',
          effect: 'reroute',
          to: 'b-eu',
          when: { fact: 'target', path: '$.service', operator: 'equal', value: 'b' },
        },
      ],
    };
    const shares = (k: number): unknown =>
      routers(planOf(`dynamic-router-${k}`, { nodes, services }, rules).plan).map(({ node, responsibleFor }) => [
        node,
        responsibleFor,
      ]);
    expect(shares(1)).toEqual([[1, [0, 1, 2]]]);
    // One for each node with services.
    expect(shares(2)).toEqual([
      [1, [0]],
      [3, [1, 2]],
    ]);
    expect(shares(3)).toEqual([
      [1, [0]],
      [3, [1]],
      [3, [2]],
    ]);
    // No more than services, the alternative included.
    expect(shares(9)).toEqual(shares(3));
  });

  it('go to nodes by service count with the largest remainder', () => {
    // Exact shares of 5 routers for 12, 4 and 4 services: 3, 1 and 1.
    const services = [12, 4, 4].flatMap((count, node) =>
      Array.from({ length: count }, (_, i) => ({ name: `s${node}-${i}`, node: `n${node}` })),
    );
    const nodes = [0, 1, 2].map((i) => ({ name: `n${i}`, region: 'eu' }));
    expect(routers(planOf('dynamic-router-5', { nodes, services }).plan).map(({ node }) => node)).toEqual([
      0, 0, 0, 1, 2,
    ]);
  });

  it('cover every service once, evenly, in contiguous runs, on one of their nodes', () => {
    const counts = fc
      .array(fc.nat(7), { minLength: 1, maxLength: 6 })
      .filter((list) => list.some((count) => count > 0));
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 45 }), (perNode, k) => {
        const nodes = perNode.map((_, i) => ({ name: `n${i}`, region: 'eu' }));
        const services = perNode.flatMap((count, node) =>
          Array.from({ length: count }, (_, i) => ({ name: `s${node}-${i}`, node: `n${node}` })),
        );
        const { graph, plan } = planOf(`dynamic-router-${k}`, { nodes, services });
        const all = routers(plan);
        expect(all).toHaveLength(Math.min(k, services.length));
        // In file order here, so that contiguous runs of nodes and services are ascending.
        expect(all.flatMap(({ responsibleFor }) => responsibleFor)).toEqual(services.map((_, index) => index));
        const used = perNode.flatMap((count, node) => (count > 0 ? [node] : []));
        for (const { node, responsibleFor } of all) {
          expect(responsibleFor.length).toBeGreaterThan(0);
          expect(graph.services[responsibleFor[0]!]!.node).toBe(node);
        }
        if (k > used.length) {
          for (const { node, responsibleFor } of all) {
            expect(responsibleFor.every((index) => graph.services[index]!.node === node)).toBe(true);
          }
          for (const node of used) {
            const sizes = all.filter((one) => one.node === node).map(({ responsibleFor }) => responsibleFor.length);
            expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
          }
        } else {
          const blocks = all.map(
            ({ responsibleFor }) => new Set(responsibleFor.map((index) => graph.services[index]!.node)).size,
          );
          expect(Math.max(...blocks) - Math.min(...blocks)).toBeLessThanOrEqual(1);
        }
        const hasOneEach = all.every(({ responsibleFor }) => responsibleFor.length === 1);
        expect(hasOneEach).toBe(k >= services.length);
      }),
      { numRuns: 100 },
    );
  });

  it('as many as services do what sidecars do, by other names', () => {
    const nodes = [
      { name: 'a', region: 'eu' },
      { name: 'b', region: 'us' },
    ];
    const services = [{ generate: 5 }, { name: 'alt', role: 'alternative' as const }];
    const shape = (architecture: string) => {
      const { plan } = planOf(architecture, { nodes, services }, reroute('svc-3', 'alt'));
      const place = (name: string) => {
        const { kind, node, responsibleFor } = role(plan, name);
        return kind === 'service' || kind === 'gateway' ? name : `point of ${responsibleFor} on ${node}`;
      };
      const entries = plan.roles.map(({ name, peers }) => [place(name), peers.map(place).sort()] as const);
      return Object.fromEntries(entries);
    };
    expect(shape('dynamic-router-6')).toEqual(shape('sidecar'));
  });
});

describe('peers', () => {
  it.each(['forward', 'nested'] as const)(
    'without enforcement are the next service and, in forward style, the gateway: %s',
    (style) => {
      const { plan } = planOf('none', { services: [{ generate: 2 }], enforcement: { style } });
      const report = style === 'forward' ? ['gateway'] : [];
      expect(role(plan, 'gateway').peers).toEqual(['svc-1']);
      expect(role(plan, 'svc-1').peers).toEqual([...report, 'svc-2']);
      expect(role(plan, 'svc-2').peers).toEqual(report);
      expect(plan.executorOf).toEqual(['svc-1', 'svc-2']);
    },
  );

  it('of a central entity are all services and the gateway; services send nothing', () => {
    const { plan } = planOf('central-entity', { services: [{ generate: 2 }] });
    expect(role(plan, 'gateway').peers).toEqual(['central-entity']);
    expect([...role(plan, 'central-entity').peers].sort()).toEqual(['gateway', 'svc-1', 'svc-2']);
    expect(role(plan, 'svc-1').peers).toEqual([]);
  });

  it('of sidecars are their service, the next sidecar and the gateway', () => {
    const { plan } = planOf('sidecar', { services: [{ generate: 3 }] });
    expect([...role(plan, 'svc-2-sidecar').peers].sort()).toEqual(['gateway', 'svc-2', 'svc-3-sidecar']);
  });

  it('of a branch report to the holder of its fork, which is the gateway when the fork opens the flow', () => {
    const services = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    const inside = planOf('sidecar', { services, flow: ['a', ['b', 'c'], 'd'] }).plan;
    expect([...role(inside, 'a-sidecar').peers].sort()).toEqual([
      'a',
      'b-sidecar',
      'c-sidecar',
      'd-sidecar',
      'gateway',
    ]);
    expect([...role(inside, 'b-sidecar').peers].sort()).toEqual(['a-sidecar', 'b']);
    const opening = planOf('sidecar', { services, flow: [['a', 'b'], 'c', 'd'] }).plan;
    expect([...role(opening, 'gateway').peers].sort()).toEqual(['a-sidecar', 'b-sidecar', 'c-sidecar']);
    expect([...role(opening, 'a-sidecar').peers].sort()).toEqual(['a', 'gateway']);
    const central = planOf('central-entity', { services, flow: [['a', 'b'], 'c', 'd'] }).plan;
    expect(role(central, 'gateway').peers).toEqual(['central-entity']);
  });

  it('lead to an alternative and on from it where a rule could reroute, and nowhere else', () => {
    const services = [{ generate: 3 }, { name: 'alt', role: 'alternative' as const }];
    const { plan } = planOf('sidecar', { services }, reroute('svc-2', 'alt'));
    expect([...role(plan, 'svc-1-sidecar').peers].sort()).toEqual(['gateway', 'svc-1', 'svc-2-sidecar']);
    expect([...role(plan, 'svc-2-sidecar').peers].sort()).toEqual(['alt-sidecar', 'gateway', 'svc-2', 'svc-3-sidecar']);
    expect([...role(plan, 'alt-sidecar').peers].sort()).toEqual(['alt', 'gateway', 'svc-3-sidecar']);
    expect([...role(planOf('sidecar', { services }).plan, 'svc-2-sidecar').peers]).not.toContain('alt-sidecar');
  });

  it('give the fork to the alternative before it', () => {
    const services = ['a', 'b', 'c'].map((name) => ({ name }));
    const alternative = { name: 'alt', role: 'alternative' as const };
    const { plan } = planOf(
      'sidecar',
      { services: [...services, alternative], flow: ['a', ['b', 'c']] },
      reroute('a', 'alt'),
    );
    expect([...role(plan, 'alt-sidecar').peers].sort()).toEqual(['alt', 'b-sidecar', 'c-sidecar', 'gateway']);
    expect([...role(plan, 'b-sidecar').peers].sort()).toEqual(['a-sidecar', 'alt-sidecar', 'b']);
  });

  it('leave out an alternative that static facts rule out', () => {
    const services = [
      { name: 'a', tags: ['x'] },
      { name: 'b', tags: ['y'] },
      { name: 'alt', role: 'alternative' as const },
    ];
    const when = {
      not: {
        any: [
          { fact: 'target', path: '$.tags', operator: 'doesNotContain', value: 'x' },
          { fact: 'request', path: '$.origin', operator: 'equal', value: 'us' },
        ],
      },
    };
    const rules = {
      ...reroute('a', 'alt'),
      rules: [{ id: 'r', when, effect: 'reroute' as const, to: 'alt' }],
    } as RulesInput;
    const { plan } = planOf('sidecar', { services }, rules);
    expect(role(plan, 'a-sidecar').peers).toContain('alt-sidecar');
    expect(role(plan, 'b-sidecar').peers).not.toContain('alt-sidecar');
  });
});

it('a plan lists the gateway, then enforcement points, then services in file order, and is frozen', () => {
  const { plan } = planOf('dynamic-router-2', { services: [{ generate: 3 }] });
  expect(plan.roles.map(({ name }) => name)).toEqual(['gateway', 'router-1', 'router-2', 'svc-1', 'svc-2', 'svc-3']);
  expect(Object.isFrozen(plan.roles[1]!.peers)).toBe(true);
});

function reroute(service: string, to: string): RulesInput {
  const when = {
    all: [
      { fact: 'target' as const, path: '$.service', operator: 'equal', value: service },
      { fact: 'request' as const, path: '$.origin', operator: 'equal', value: 'eu' },
    ],
  };
  return { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', rules: [{ id: 'r', when, effect: 'reroute', to }] };
}

describe('limits', () => {
  it('reach the roles that they are for: gateway, enforcement points, services', () => {
    const { plan } = planOf('sidecar', {
      gateway: { limits: { cpus: 2 } },
      enforcement: { limits: { memory: '128MiB' } },
      services: [{ name: 'a', limits: { cpus: 0.5 } }, { name: 'b' }],
    });
    expect(plan.roles.map(({ name, limits }) => [name, limits])).toEqual([
      ['gateway', { cpus: 2 }],
      ['a-sidecar', { memoryBytes: 134_217_728 }],
      ['b-sidecar', { memoryBytes: 134_217_728 }],
      ['a', { cpus: 0.5 }],
      ['b', undefined],
    ]);
  });
});
