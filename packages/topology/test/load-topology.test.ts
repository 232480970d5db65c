import { describe, expect, it } from 'vitest';
import { graphOf, loadRules, loadTopology, rulesPath } from '../src/load-topology.ts';

const topologyHead = 'apiVersion: topo-bench/v1\nkind: Topology\nname: x\n';
const rulesHead = 'apiVersion: topo-bench/v1\nkind: Rules\nname: r\n';
const defaultServices = 'services: [{ name: a }, { name: b }, { name: alt, role: alternative }]\n';

const load = (topology: string, rules?: string) =>
  loadTopology({
    topology: { text: topologyHead + topology, file: 't.yaml' },
    rules: rules === undefined ? undefined : { text: rulesHead + rules, file: 'r.yaml' },
  });
/** `file:line:column code` of all problems; line 1 is the first after the head. Warnings carry a `?`. */
const found = (topology: string, rules?: string) =>
  load(topology, rules).problems.map(
    ({ file, line, column, code, severity }) =>
      `${file[0]}:${line - 3}:${column} ${code}${severity === 'warning' ? '?' : ''}`,
  );

describe('problems beyond the schema of a topology are found with their place', () => {
  it.each([
    ['a service on an unknown node', 'services: [{ name: a, node: nod-1 }]', ['t:1:29 TB_TOPOLOGY_UNKNOWN_NODE']],
    [
      'a gateway on an unknown node',
      'services: [{ name: a }]\ngateway: { node: eu }',
      ['t:2:18 TB_TOPOLOGY_UNKNOWN_NODE'],
    ],
    [
      'a link to nowhere',
      'services: [{ name: a }]\nlinks: [{ from: eu, to: su, delay: 1ms }]',
      ['t:2:25 TB_TOPOLOGY_UNKNOWN_PLACE'],
    ],
    [
      'a link of a node with itself',
      'services: [{ name: a }]\nlinks: [{ from: node-1, to: node-1, delay: 1ms }]',
      ['t:2:9 TB_TOPOLOGY_INVALID_LINK'],
    ],
    [
      'a link that is there already, the other way round',
      'services: [{ name: a }]\nlinks:\n  - { from: eu, to: node-1, delay: 1ms }\n  - { from: node-1, to: eu, delay: 2ms }',
      ['t:4:5 TB_TOPOLOGY_INVALID_LINK'],
    ],
    [
      'jitter beyond the delay',
      'services: [{ name: a }]\nlinks: [{ from: eu, to: eu, delay: 1ms, jitter: 2ms }]',
      ['t:2:49 TB_TOPOLOGY_INVALID_LINK'],
    ],
    [
      'an unknown service in the flow',
      'services: [{ name: a }]\nflow: [a, [orders]]',
      ['t:2:12 TB_TOPOLOGY_UNKNOWN_SERVICE'],
    ],
    [
      'a service that no request reaches',
      'services: [{ name: a }, { name: b }]\nflow: [a]',
      ['t:1:33 TB_TOPOLOGY_UNREACHABLE_SERVICE'],
    ],
    [
      'generated services that no request reaches, in one finding',
      'services: [{ name: a }, { generate: 9 }]\nflow: [a, svc-2]',
      ['t:1:37 TB_TOPOLOGY_UNREACHABLE_SERVICE'],
    ],
    [
      'an alternative in the flow',
      'services: [{ name: a }, { name: b, role: alternative }]\nflow: [a, b]',
      ['t:1:33 TB_TOPOLOGY_UNUSED_ALTERNATIVE?', 't:2:11 TB_TOPOLOGY_ALTERNATIVE_IN_FLOW'],
    ],
    [
      'a service that stands in the flow twice',
      'services: [{ name: a }]\nflow: [a, [a]]',
      ['t:2:12 TB_TOPOLOGY_DUPLICATE_STEP'],
    ],
    [
      'a flow without services',
      'services: [{ name: a, role: alternative }]',
      ['t:1:11 TB_TOPOLOGY_EMPTY_FLOW', 't:1:20 TB_TOPOLOGY_UNUSED_ALTERNATIVE?'],
    ],
    ['two services of one name', 'services: [{ name: a }, { name: A }]', ['t:1:33 TB_TOPOLOGY_DUPLICATE_NAME']],
    [
      'a generated name that is taken',
      'services: [{ name: svc-3 }, { generate: 5 }]',
      ['t:1:41 TB_TOPOLOGY_DUPLICATE_NAME'],
    ],
    [
      'two nodes of one name',
      'nodes: [{ name: n, region: eu }, { name: n, region: us }]\nservices: [{ name: a }]',
      ['t:1:42 TB_TOPOLOGY_DUPLICATE_NAME'],
    ],
    [
      'two request classes of one name',
      'services: [{ name: a }]\nrequests: { classes: [{ name: c, origin: eu }, { name: c, origin: eu }] }',
      ['t:2:56 TB_TOPOLOGY_DUPLICATE_NAME'],
    ],
    [
      'the name of a role of ours',
      'services: [{ name: gateway }, { name: Router-1 }, { name: b }, { name: b-sidecar }]',
      ['t:1:20 TB_TOPOLOGY_RESERVED_NAME', 't:1:39 TB_TOPOLOGY_RESERVED_NAME', 't:1:72 TB_TOPOLOGY_RESERVED_NAME'],
    ],
    [
      'a service without a node to be on',
      'nodes: [{ name: n, region: eu, services: false }]\nservices: [{ name: a }, { generate: 2 }]',
      ['t:2:12 TB_TOPOLOGY_NO_NODE', 't:2:25 TB_TOPOLOGY_NO_NODE'],
    ],
    [
      'a service on a node that takes none',
      'nodes: [{ name: n, region: eu, services: false }, { name: m, region: eu }]\nservices: [{ name: a, node: n }]',
      ['t:2:29 TB_TOPOLOGY_CLOSED_NODE'],
    ],
    [
      'more than a thousand services',
      'services: [{ generate: 1000 }, { name: b }]',
      ['t:1:11 TB_TOPOLOGY_TOO_MANY_SERVICES'],
    ],
    [
      'the name of a gateway of a region',
      'nodes: [{ name: n, region: eu }, { name: m, region: us }]\ngateways: per region\nservices: [{ name: gateway-us }, { name: gateway-asia }]',
      ['t:1:53 TB_TOPOLOGY_IDLE_GATEWAY?', 't:3:20 TB_TOPOLOGY_RESERVED_NAME'],
    ],
    [
      'regions with gateways that differ in letter case',
      'nodes: [{ name: n, region: eu }, { name: m, region: EU }]\ngateways: per region\nservices: [{ name: a }]',
      ['t:1:53 TB_TOPOLOGY_DUPLICATE_NAME', 't:1:53 TB_TOPOLOGY_IDLE_GATEWAY?'],
    ],
    [
      'a gateway in a region without an origin',
      'nodes: [{ name: n, region: eu }, { name: m, region: us }]\ngateways: per region\nservices: [{ name: a }]\nrequests: { classes: [{ name: c, origin: eu }] }',
      ['t:1:53 TB_TOPOLOGY_IDLE_GATEWAY?'],
    ],
    [
      'the name of a replica',
      'services: [{ name: router-1-2 }, { name: central-entity-2 }, { name: b-sidecar-2 }]',
      ['t:1:20 TB_TOPOLOGY_RESERVED_NAME', 't:1:42 TB_TOPOLOGY_RESERVED_NAME'],
    ],
    [
      'replicas of sidecars',
      'services: [{ name: a }]\nenforcement: { architecture: sidecar, replicas: 2 }',
      ['t:2:49 TB_TOPOLOGY_NO_REPLICAS?'],
    ],
    [
      'replicas without enforcement',
      'services: [{ name: a }]\nenforcement: { replicas: 2 }',
      ['t:2:26 TB_TOPOLOGY_NO_REPLICAS?'],
    ],
    [
      'takeover of sidecars',
      'services: [{ generate: 2 }]\nenforcement: { architecture: sidecar, resilience: { takeover: true } }',
      ['t:2:63 TB_TOPOLOGY_NO_TAKEOVER'],
    ],
    [
      'takeover of the only router',
      'services: [{ generate: 1 }]\nenforcement: { architecture: dynamic-router, routers: 1, resilience: { takeover: true } }',
      ['t:2:82 TB_TOPOLOGY_NO_TAKEOVER'],
    ],
    [
      'takeover of the only process of a central entity',
      'services: [{ generate: 2 }]\nenforcement: { architecture: central-entity, resilience: { takeover: true } }',
      ['t:2:70 TB_TOPOLOGY_NO_TAKEOVER'],
    ],
    [
      'takeover by a replica',
      'services: [{ generate: 2 }]\nenforcement: { architecture: central-entity, replicas: 2, resilience: { takeover: true } }',
      [],
    ],
    [
      'takeover by another router',
      'services: [{ generate: 2 }]\nenforcement: { architecture: dynamic-router, routers: 2, resilience: { takeover: true } }',
      [],
    ],
    [
      'replicas of the central entity',
      'services: [{ name: a }]\nenforcement: { architecture: central-entity, replicas: 2 }',
      [],
    ],
    [
      'more routers than services',
      'services: [{ generate: 2 }]\nenforcement: { architecture: dynamic-router, routers: 3 }',
      ['t:2:55 TB_TOPOLOGY_ROUTERS_ABOVE_SERVICES?'],
    ],
    [
      'an origin outside all regions',
      'services: [{ name: a }]\nrequests: { classes: [{ name: c, origin: { eu: 1, ue: 2 } }] }',
      ['t:2:51 TB_TOPOLOGY_UNKNOWN_PLACE?'],
    ],
  ])('%s', (_, topology, expected) => {
    expect(found(topology)).toEqual(expected);
  });

  it('together with findings of the schema, all at once', () => {
    expect(found('services: [{ name: a, work: 10, nod: n }, { name: b, node: n }]\nflow: [a, b, c]\nlinks: 3')).toEqual(
      [
        't:1:29 TB_UNIT_INVALID',
        't:1:33 TB_SCHEMA_UNKNOWN_KEY',
        't:1:60 TB_TOPOLOGY_UNKNOWN_NODE',
        't:2:14 TB_TOPOLOGY_UNKNOWN_SERVICE',
        't:3:8 TB_SCHEMA_INVALID',
      ],
    );
  });

  it('also next to a part that lacks a key', () => {
    expect(found('services: [{ name: a, node: n, work: { law: exponential } }]')).toEqual([
      't:1:29 TB_TOPOLOGY_UNKNOWN_NODE',
      't:1:38 TB_SCHEMA_MISSING_KEY',
    ]);
  });

  it('suggests the name that was meant', () => {
    const { problems } = load('services: [{ name: orders }, { name: scoring }]\nflow: [order, scorign]');
    expect(problems.filter(({ hint }) => hint).map(({ hint }) => hint)).toEqual([
      'did you mean "orders"?',
      'did you mean "scoring"?',
    ]);
  });

  it('and a warning alone leaves the graph', () => {
    const { graph, problems } = load(
      'services: [{ generate: 2 }]\nenforcement: { architecture: dynamic-router, routers: 3 }',
    );
    expect(problems).toHaveLength(1);
    expect(graph?.services).toHaveLength(2);
  });

  it('and an error leaves none', () => {
    expect(load('services: [{ name: a, node: m }]').graph).toBeUndefined();
    expect(load('services: [{ name: a }]', 'rules: 3').graph).toBeUndefined();
  });
});

describe('problems beyond the schema of rules are found with their place', () => {
  const when = 'when: { fact: request, path: $.origin, operator: equal, value: eu }';
  it.each([
    [
      'an unknown fact',
      'rules:\n  - { id: x, effect: deny, when: { fact: reqest, operator: equal, value: 1 } }',
      ['r:2:42 TB_RULES_UNKNOWN_FACT'],
    ],
    [
      'a member that a fact does not have',
      'rules:\n  - { id: x, effect: deny, when: { not: { fact: request, path: $.orgin, operator: equal, value: 1 } } }',
      ['r:2:64 TB_RULES_UNKNOWN_FACT'],
    ],
    [
      'such a member on the other side',
      'rules:\n  - { id: x, effect: deny, when: { fact: request, path: $.origin, operator: equal, value: { fact: target, path: $.regoin } } }',
      ['r:2:113 TB_RULES_UNKNOWN_FACT'],
    ],
    [
      'an unknown operator',
      'rules:\n  - { id: x, effect: deny, when: { all: [{ fact: request, operator: equals, value: 1 }] } }',
      ['r:2:69 TB_RULES_UNKNOWN_OPERATOR'],
    ],
    [
      'an unknown decorator',
      'rules:\n  - { id: x, effect: deny, when: { fact: request, operator: "sameFact:equal", value: 1 } }',
      ['r:2:61 TB_RULES_UNKNOWN_OPERATOR'],
    ],
    [
      'a path with a filter',
      'rules:\n  - { id: x, effect: deny, when: { fact: request, path: "$.a[?(@.b)]", operator: equal, value: 1 } }',
      ['r:2:57 TB_RULES_PATH'],
    ],
    [
      'a comparison without a value',
      'rules:\n  - { id: x, effect: deny, when: { fact: request, operator: equal } }',
      ['r:2:34 TB_SCHEMA_MISSING_KEY'],
    ],
    [
      'an unknown named condition',
      `conditions: { european: { fact: request, operator: equal, value: 1 } }\nrules:\n  - { id: x, effect: deny, when: { condition: europan } }`,
      ['r:3:47 TB_RULES_UNKNOWN_CONDITION'],
    ],
    [
      'conditions in a circle',
      'conditions:\n  p: { not: { condition: q } }\n  q: { any: [{ condition: p }] }\nrules: []',
      ['r:2:6 TB_RULES_CYCLE', 'r:3:6 TB_RULES_CYCLE'],
    ],
    [
      'two rules of one id',
      `rules:\n  - { id: x, effect: deny, ${when} }\n  - { id: x, effect: allow, ${when} }`,
      ['r:3:11 TB_RULES_DUPLICATE_ID'],
    ],
    [
      'a redaction of nothing',
      `rules:\n  - { id: x, effect: redact, ${when} }\n  - { id: z, effect: redact, redact: {}, ${when} }`,
      ['r:2:22 TB_RULES_EFFECT', 'r:3:38 TB_RULES_EFFECT'],
    ],
    ['a reroute to nowhere', `rules:\n  - { id: x, effect: reroute, ${when} }`, ['r:2:22 TB_RULES_EFFECT']],
    [
      'fields that the effect does not use',
      `rules:\n  - { id: x, effect: deny, to: alt, redact: { remove: [/a] }, ${when} }`,
      ['r:2:32 TB_RULES_EFFECT', 'r:2:45 TB_RULES_EFFECT'],
    ],
    [
      'a reroute to an unknown service',
      `rules:\n  - { id: x, effect: reroute, to: art, ${when} }`,
      ['r:2:35 TB_RULES_UNKNOWN_SERVICE'],
    ],
    [
      'a reroute into the flow',
      `rules:\n  - { id: x, effect: reroute, to: b, ${when} }`,
      ['r:2:35 TB_RULES_NOT_ALTERNATIVE'],
    ],
    [
      'an example that expects an unknown rule',
      `rules:\n  - { id: x, effect: deny, forEach: services, ${when} }\nexamples:\n  - { name: e, request: { origin: eu }, target: { service: a }, expect: { effect: deny, rule: x, rules: [x@a, y] } }`,
      ['r:4:95 TB_RULES_UNKNOWN_RULE', 'r:4:111 TB_RULES_UNKNOWN_RULE'],
    ],
    [
      'a number that is not finite, or not exact, in a condition',
      `rules:\n${['.inf', '1e400', '9007199254740993']
        .map((value, i) => `  - { id: r${i}, effect: deny, when: { fact: request, operator: equal, value: ${value} } }`)
        .join('\n')}`,
      [2, 3, 4].map((line) => `r:${line}:76 TB_RULES_VALUE`),
    ],
    [
      'a number that is not finite in an example',
      `rules: []\nexamples:\n  - { name: e, request: { origin: eu, payload: { a: [-.inf] } }, target: { service: a }, expect: { effect: allow } }`,
      ['r:3:48 TB_RULES_VALUE'],
    ],
  ])('%s', (_, rules, expected) => {
    const problems = found(defaultServices, rules).filter((one) => !one.includes('UNUSED_ALTERNATIVE'));
    expect(problems).toEqual(expected);
  });

  it('warns of a rule that withholds the ids of items, where a service has items', () => {
    const rules = `rules:\n  - { id: x, effect: redact, redact: { remove: [/id] }, when: { fact: request, operator: equal, value: 1 } }`;
    const warnings = ['persistence: { store: document }', 'tags: [t]'].map((more) =>
      found(`services: [{ name: a, ${more} }]`, rules),
    );
    expect(warnings).toEqual([['r:2:38 TB_RULES_EFFECT?'], []]);
  });

  it('lists an unknown condition with the nearest', () => {
    const rules =
      'conditions: { european: { fact: request, operator: equal, value: 1 } }\nrules:\n  - { id: x, effect: deny, when: { condition: europan } }';
    expect(loadRules({ text: rulesHead + rules, file: 'r.yaml' }).problems[0]?.hint).toBe('did you mean "european"?');
  });

  it('comes after the problems of the topology, each file in reading order', () => {
    expect(
      found('services: [{ name: a }]\nflow: [b]', 'rules:\n  - { id: x, effect: reroute, when: { condition: c } }'),
    ).toEqual([
      't:1:20 TB_TOPOLOGY_UNREACHABLE_SERVICE',
      't:2:8 TB_TOPOLOGY_UNKNOWN_SERVICE',
      'r:2:22 TB_RULES_EFFECT',
      'r:2:50 TB_RULES_UNKNOWN_CONDITION',
    ]);
  });
});

describe('a graph', () => {
  it('is the file with names resolved and defaults filled in, frozen to the last member', () => {
    const { graph } = load(
      'nodes: [{ name: n, region: eu }, { name: m, region: us }]\ngateway: { node: m }\ndefaults: { work: 2ms, tags: [x] }\n' +
        'services: [{ name: a, node: m, tags: [y] }, { generate: 2, prefix: g }]\ndeadlines: { hop: 1s }',
    );
    expect(graph?.gateways[0].node).toBe(1);
    expect(graph?.services.map(({ name, node, tags }) => [name, node, tags])).toEqual([
      ['a', 1, ['y']],
      ['g-1', 0, ['x']],
      ['g-2', 0, ['x']],
    ]);
    expect(graph?.services[1]).toMatchObject({
      work: { law: 'constant', meanUs: 2000, kind: 'cpu' },
      responseBytes: 256,
      alternative: false,
    });
    expect(graph?.deadlines).toEqual({ hopUs: 1e6, requestUs: 60e6 });
    expect(graph?.rules).toEqual({ default: 'allow', conditions: {}, rules: [] });
    expect(() => Object.assign(graph!.services[0]!.work, { meanUs: 0 })).toThrow(TypeError);
  });

  it('gets links both ways; a node beats its region', () => {
    const nodes = ['a', 'b'].flatMap((name) => [
      { name: `${name}1`, region: name },
      { name: `${name}2`, region: name },
    ]);
    const graph = graphOf({
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 'linked',
      nodes,
      links: [
        { from: 'a1', to: 'b1', delay: '1ms' },
        { from: 'b', to: 'a', delay: '40ms', jitter: '5ms' },
        { from: 'a2', to: 'b', delay: '7ms' },
        { from: 'a', to: 'a', delay: '2ms' },
      ],
      services: [{ generate: 4 }],
    });
    const delays = graph.links.map((row) => row.map((link) => link && link.delayUs / 1000));
    expect(delays).toEqual([
      [undefined, 2, 1, 40],
      [2, undefined, 7, 7],
      [1, 7, undefined, undefined],
      [40, 7, undefined, undefined],
    ]);
    expect(graph.links[0]![3]).toEqual({ delayUs: 40_000, jitterUs: 5000 });
  });

  it('has rules expanded over all services, in file order, numbered through', () => {
    const when = { fact: 'request' as const, path: '$.origin', operator: 'equal', value: 'eu' };
    const graph = graphOf(
      {
        apiVersion: 'topo-bench/v1',
        kind: 'Topology',
        name: 'x',
        services: [{ name: 'a' }, { name: 'alt', role: 'alternative' }],
      },
      {
        apiVersion: 'topo-bench/v1',
        kind: 'Rules',
        name: 'r',
        default: 'deny',
        rules: [
          { id: 'each', forEach: 'services', priority: 3, when, effect: 'redact', redact: { remove: ['/x'] } },
          { id: 'to-alt', when, effect: 'reroute', to: 'alt' },
        ],
      },
    );
    const onlyFor = (value: string) => ({
      all: [{ fact: 'target', path: '$.service', operator: 'equal', value }, when],
    });
    const common = { priority: 3, effect: 'redact', remove: ['/x'], pseudonymise: [], to: undefined };
    expect(graph.rules.default).toBe('deny');
    expect(graph.rules.rules).toEqual([
      { ...common, index: 0, id: 'each@a', when: onlyFor('a') },
      { ...common, index: 1, id: 'each@alt', when: onlyFor('alt') },
      { index: 2, id: 'to-alt', priority: 1, when, effect: 'reroute', remove: [], pseudonymise: [], to: 'alt' },
    ]);
  });

  it('of plain data that is wrong is an error with all problems', () => {
    const wrong = () =>
      graphOf({
        apiVersion: 'topo-bench/v1',
        kind: 'Topology',
        name: 'x',
        services: [{ name: 'a', node: 'n' }, { name: 'a' }],
      });
    expect(wrong).toThrow(
      expect.objectContaining({ code: 'TB_TOPOLOGY_UNKNOWN_NODE', problems: expect.objectContaining({ length: 2 }) }),
    );
  });
});

it('the path of the rules is read from the topology, overrides included', () => {
  const topology = { text: 'rules: ../rules/gdpr.yaml', file: 't.yaml' };
  expect(rulesPath(topology)).toBe('../rules/gdpr.yaml');
  expect(rulesPath(topology, { set: { rules: 'mine.yaml' } })).toBe('mine.yaml');
  expect(rulesPath({ text: '{}', file: 't.yaml' })).toBeUndefined();
});

it('a flow that calls a service twice gets a hint at how to write that', () => {
  const text =
    'apiVersion: topo-bench/v1\nkind: Topology\nname: x\nservices: [{ name: a }, { name: b }]\nflow: [a, b, a]\n';
  expect(loadTopology({ topology: { text, file: 't' } }).problems).toMatchObject([
    { code: 'TB_TOPOLOGY_DUPLICATE_STEP', hint: expect.stringContaining('add a service such as "a-2"') },
  ]);
});

it.each([
  'requests: { classes: [{ name: a, origin: eu, payload: { __proto__: { category: personal } } }] }',
  'requests: { classes: [{ name: a, origin: eu, consents: { __proto__: 0.5 } }] }',
  'services: [{ name: a, command: c, env: { __proto__: x } }]',
])('a member __proto__ of a topology is refused: %s', (field) => {
  const services = field.startsWith('services') ? '' : 'services: [{ generate: 1 }]\n';
  const text = `apiVersion: topo-bench/v1\nkind: Topology\nname: x\n${field}\n${services}`;
  const { problems, graph } = loadTopology({ topology: { text, file: 't.yaml' } });
  expect(graph).toBeUndefined();
  expect(problems.map(({ line, code }) => [line, code])).toEqual([[4, 'TB_SCHEMA_UNKNOWN_KEY']]);
});

it('a condition named __proto__ is refused, and a member of an example is not', () => {
  const when = '{ fact: request, path: $.payload.a, operator: equal, value: 1 }';
  const text = (more: string) =>
    `apiVersion: topo-bench/v1\nkind: Rules\nname: r\n${more}\nrules: [{ id: a, effect: deny, when: ${when} }]\n`;
  const codes = (more: string) => loadRules({ text: text(more), file: 'r.yaml' }).problems.map(({ code }) => code);
  expect(codes(`conditions: { __proto__: ${when} }`)).toEqual(['TB_SCHEMA_UNKNOWN_KEY']);
  const example = 'name: e, request: { origin: eu, payload: { __proto__: { a: 1 } } }, target: { service: s }';
  expect(codes(`examples: [{ ${example}, expect: { effect: allow } }]`)).toEqual([]);
});
