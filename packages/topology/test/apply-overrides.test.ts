import { describe, expect, it } from 'vitest';
import { applyOverrides, factorScope, type Overrides } from '../src/apply-overrides.ts';
import { loadTopology } from '../src/load-topology.ts';

const input = () => ({
  apiVersion: 'topo-bench/v1',
  kind: 'Topology',
  name: 'x',
  nodes: [{ name: 'eu-1', region: 'eu' }],
  services: [
    { name: 'orders' },
    { generate: 3 },
    { name: 'alt', role: 'alternative' },
    { generate: 1, prefix: 'other' },
  ],
  enforcement: { architecture: 'none' },
});
const error = (overrides: Overrides, from: object = input()): unknown => {
  try {
    return applyOverrides(from, overrides);
  } catch (thrown) {
    return thrown;
  }
};

describe('overrides', () => {
  it('replace fields by path, and make the maps on the way', () => {
    const set = {
      'deadlines.hop': '120s',
      'nodes[0].region': 'us',
      'services.orders.work': '5ms',
      'enforcement.routers': 4,
    };
    expect(applyOverrides(input(), { set })).toMatchObject({
      deadlines: { hop: '120s' },
      nodes: [{ name: 'eu-1', region: 'us' }],
      services: [{ name: 'orders', work: '5ms' }, { generate: 3 }, {}, {}],
      enforcement: { architecture: 'none', routers: 4 },
    });
  });

  it('leave the input as it was', () => {
    const original = input();
    applyOverrides(original, { set: { 'nodes[0].region': 'us' }, factors: { services: 9, architecture: 'sidecar' } });
    expect(original).toEqual(input());
  });

  it('take the short names of factors', () => {
    const factors = {
      architecture: 'dynamic-router-6',
      engine: 'json-rules-engine',
      style: 'nested',
      framework: 'node',
      placement: 'round-robin',
    };
    expect(applyOverrides(input(), { factors })).toMatchObject({
      framework: 'node',
      placement: 'round-robin',
      enforcement: { architecture: 'dynamic-router', routers: 6, engine: 'json-rules-engine', style: 'nested' },
    });
    expect(applyOverrides(input(), { factors: { architecture: 'sidecar' } })).toMatchObject({
      enforcement: { architecture: 'sidecar' },
    });
  });

  it('take the short name of the store of every service that keeps data', () => {
    const services = [
      { name: 'orders', persistence: { rows: 5 } },
      { name: 'scoring' },
      { name: 'bills', persistence: {} },
    ];
    expect(applyOverrides({ ...input(), services }, { factors: { store: 'document' } })).toMatchObject({
      services: [
        { persistence: { rows: 5, store: 'document' } },
        { name: 'scoring' },
        { persistence: { store: 'document' } },
      ],
    });
    expect(error({ factors: { store: 'document' } })).toMatchObject({
      code: 'TB_OVERRIDE_INVALID',
      message: 'store: no service of the topology keeps data',
    });
  });

  it('switch the TLS of every service that has certificates', () => {
    const secured = { arrow: { flight: { tls: { certificate: 'c.pem', key: 'k.pem' } } } };
    const services = [
      { name: 'orders', ...secured },
      { name: 'open', arrow: { flight: {} } },
      { name: 'bills', ...secured },
    ];
    expect(applyOverrides({ ...input(), services }, { factors: { tls: false } })).toMatchObject({
      services: [
        { arrow: { flight: { tls: { enabled: false, key: 'k.pem' } } } },
        services[1],
        { arrow: { flight: { tls: { enabled: false } } } },
      ],
    });
    expect(error({ factors: { tls: true } })).toMatchObject({
      code: 'TB_OVERRIDE_INVALID',
      message: 'tls: no service of the topology has certificates for Flight',
    });
  });

  it('take any field of the topology as a factor, and pass over those of the experiment', () => {
    const factors = { 'topology.deadlines.hop': '9s', 'defaults.work': '3ms', rate: 100, 'load.connections': 7 };
    const result = applyOverrides(input(), { factors });
    expect(result).toEqual({ ...input(), deadlines: { hop: '9s' }, defaults: { work: '3ms' } });
  });

  it.each([
    [5, [{ name: 'orders' }, { generate: 3 }, { name: 'alt', role: 'alternative' }, { generate: 1, prefix: 'other' }]],
    [
      25,
      [{ name: 'orders' }, { generate: 18 }, { name: 'alt', role: 'alternative' }, { generate: 6, prefix: 'other' }],
    ],
    [2, [{ name: 'orders' }, { generate: 1 }, { name: 'alt', role: 'alternative' }]],
    [1, [{ name: 'orders' }, { name: 'alt', role: 'alternative' }]],
  ])('bring the flow to %i services by what is generated', (services, expected) => {
    expect(applyOverrides(input(), { factors: { services } })).toMatchObject({ services: expected });
    expect((applyOverrides(input(), { factors: { services } }) as { services: unknown[] }).services).toHaveLength(
      expected.length,
    );
  });

  it.each<[string, Overrides, string, string, object?]>([
    ['a misspelt field', { set: { 'deadlines.hopp': 1 } }, 'TB_OVERRIDE_UNKNOWN_FIELD', 'did you mean "hop"?'],
    ['a misspelt field at the top', { set: { deadline: 1 } }, 'TB_OVERRIDE_UNKNOWN_FIELD', 'did you mean "deadlines"?'],
    [
      'an entry that is not there',
      { set: { 'services.order.work': '1ms' } },
      'TB_OVERRIDE_UNKNOWN_FIELD',
      'did you mean "orders"?',
    ],
    ['an index beyond the list', { set: { 'nodes[3].region': 'eu' } }, 'TB_OVERRIDE_UNKNOWN_FIELD', 'entries: eu-1'],
    ['a path through the prototype', { set: { 'requests.classes.__proto__.x': 1 } }, 'TB_OVERRIDE_UNKNOWN_FIELD', ''],
    [
      'a factor that is no field',
      { factors: { 'load.rates': 3 } },
      'TB_OVERRIDE_UNKNOWN_FIELD',
      'did you mean "rate"?',
    ],
    [
      'an unknown architecture',
      { factors: { architecture: 'sidcar' } },
      'TB_OVERRIDE_INVALID',
      'did you mean "sidecar"?',
    ],
    ['no routers at all', { factors: { architecture: 'dynamic-router-0' } }, 'TB_OVERRIDE_INVALID', ''],
    [
      'fewer services than are named',
      { factors: { services: 1 } },
      'TB_OVERRIDE_INVALID',
      '',
      { services: [{ name: 'a' }, { name: 'b' }] },
    ],
    [
      'more services with nothing to generate',
      { factors: { services: 5 } },
      'TB_OVERRIDE_INVALID',
      'generate',
      { services: [{ name: 'a' }] },
    ],
    [
      'a number of services for a flow by name',
      { factors: { services: 5 } },
      'TB_OVERRIDE_INVALID',
      'flow: chain',
      { ...input(), flow: ['orders'] },
    ],
    ['half a service', { factors: { services: 2.5 } }, 'TB_OVERRIDE_INVALID', ''],
    ['a thousand and one services', { factors: { services: 1001 } }, 'TB_OVERRIDE_INVALID', ''],
  ])('refuse %s by name', (_, overrides, code, hint, from) => {
    const thrown = error(overrides, from);
    expect(thrown).toMatchObject({ code });
    expect((thrown as { hint?: string }).hint ?? '').toContain(hint);
  });

  it('never reach the prototype of objects', () => {
    const classes = [{ name: 'c', origin: 'eu', payload: {} }];
    const thrown = error(
      { set: { 'requests.classes[0].payload.__proto__.category': 'x' } },
      { ...input(), requests: { classes } },
    );
    expect(thrown).toMatchObject({ code: 'TB_OVERRIDE_UNKNOWN_FIELD' });
    expect(({} as { category?: string }).category).toBeUndefined();
  });

  it('are checked like the file: problems are placed where the file has the field, or around it', () => {
    const text =
      'apiVersion: topo-bench/v1\nkind: Topology\nname: x\nservices: [{ name: a }]\ndeadlines: { hop: 1s }\n';
    const problems = (set: Record<string, unknown>) =>
      loadTopology({ topology: { text, file: 't.yaml' }, overrides: { set } }).problems.map(
        ({ line, column, code }) => `${line}:${column} ${code}`,
      );
    expect(problems({ 'deadlines.hop': '9' })).toEqual(['5:19 TB_UNIT_INVALID']);
    expect(problems({ 'deadlines.request': '9' })).toEqual(['5:12 TB_UNIT_INVALID']);
    expect(problems({ framework: 'koa' })).toEqual(['1:1 TB_SCHEMA_INVALID']);
  });
});

it('a factor belongs to the topology or to the experiment around it', () => {
  const ofTopology = ['services', 'store', 'tls', 'topology.deadlines.hop', 'deadlines.hop'];
  const ofExperiment = ['rate', 'connections', 'load.connections', 'duration'];
  expect(ofTopology.map(factorScope)).toEqual(ofTopology.map(() => 'topology'));
  expect(ofExperiment.map(factorScope)).toEqual(ofExperiment.map(() => 'experiment'));
});
