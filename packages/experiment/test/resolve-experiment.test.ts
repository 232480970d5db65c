import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import type { ExperimentInputs } from '../src/read-inputs.ts';
import { checkExperiment, resolveExperiment } from '../src/resolve-experiment.ts';

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: chain
nodes: [{ name: a, region: eu }, { name: b, region: eu }]
services: [{ generate: 4 }]
`;

function inputs(fields: string, choices: ExperimentInputs['choices'] = {}): ExperimentInputs {
  const text = `apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n${fields}`;
  return { experiment: { file: 'test.yaml', text }, topology: { file: 'chain.yaml', text: topology }, choices };
}

const resolve = (fields: string, choices = {}) => resolveExperiment(inputs(fields, choices), studies);
const problems = (fields: string, choices = {}) =>
  checkExperiment(inputs(fields, choices), studies).problems.map(({ line, column, code, severity }) => ({
    line,
    column,
    code,
    severity,
  }));

describe('an experiment', () => {
  it('has one cell with the usual factors when nothing varies', () => {
    const { cells } = resolve('');
    expect(cells.map(({ levels }) => levels)).toEqual([{ architecture: 'none', services: 4, rate: 100 }]);
  });

  it('has a graph and a plan for each combination of levels', () => {
    const { cells } = resolve('factors: { architecture: [none, dynamic-router-2, sidecar], services: [2, 5] }');
    expect(
      cells.map(({ levels, graph, plan }) => [
        levels.architecture,
        levels.services,
        graph.services.length,
        plan.roles.length,
      ]),
    ).toEqual([
      ['none', 2, 2, 3],
      ['none', 5, 5, 6],
      ['dynamic-router-2', 2, 2, 5],
      ['dynamic-router-2', 5, 5, 8],
      ['sidecar', 2, 2, 5],
      ['sidecar', 5, 5, 11],
    ]);
  });

  it('is refused where fields do not fit together in a cell, whatever each level does alone', () => {
    const takeover = 'enforcement.resilience.takeover: [false, true]';
    const cells = (architectures: string, choices = {}) =>
      resolve(`factors: { architecture: [${architectures}], ${takeover} }`, choices).cells.length;
    expect(cells('dynamic-router-2, dynamic-router-3')).toBe(4);
    expect(() => cells('dynamic-router-2, sidecar')).toThrow('test.yaml cannot be used');
    expect(cells('dynamic-router-2, sidecar', { only: { architecture: ['dynamic-router-2'] } })).toBe(2);
    expect(cells('central-entity, dynamic-router-2', { set: { replicas: 2 } })).toBe(4);
    const chosen = { 'enforcement.resilience.takeover': true };
    expect(() => resolve('factors: { architecture: [sidecar] }', { set: chosen })).toThrow(
      'no process could take over',
    );
    expect(problems('')).toEqual([]);
    expect(problems('set: { enforcement: { resilience: { takeover: true } } }')).toMatchObject([
      { line: 5, code: 'TB_TOPOLOGY_NO_TAKEOVER' },
    ]);
  });

  it.each([
    ['factors: { duration: [1s, 1000ms] }', '1000ms', '1s'],
    ['factors: { topology.deadlines.hop: [1s, 1000ms, 2s] }', '1000ms', '1s'],
    ['factors: { work: [1ms, 2ms, 2000us] }', '2000us', '2ms'],
  ])('warns of levels that are equal under other names: %s', (fields, level, other) => {
    const { problems: found, resolved } = checkExperiment(inputs(fields), studies);
    expect(found).toEqual([
      {
        ...{ file: 'test.yaml', line: 5, column: fields.indexOf(level) + 1 },
        ...{ code: 'TB_EXPERIMENT_EQUAL_LEVELS', severity: 'warning', hint: 'remove one of them' },
        message: expect.stringContaining(`: "${level}" is "${other}" under another name`),
      },
    ]);
    expect(resolved?.cells).not.toEqual([]);
  });

  it('varies fields of its own and of the topology by path', () => {
    const { cells } = resolve('factors: { duration: [1s, 2s], topology.deadlines.hop: [3s], rate: [7] }');
    expect(cells.map(({ settings, graph }) => [settings.duration, settings.load.rate, graph.deadlines.hopUs])).toEqual([
      [1e6, 7, 3e6],
      [2e6, 7, 3e6],
    ]);
    expect(cells[1]?.levels).toEqual({
      architecture: 'none',
      services: 4,
      rate: 7,
      duration: '2s',
      'topology.deadlines.hop': '3s',
    });
  });

  it('replaces fields of the topology that it sets', () => {
    const [cell] = resolve('set: { deadlines.request: 70s, enforcement.architecture: sidecar }').cells;
    expect(cell?.graph.deadlines.requestUs).toBe(70e6);
    expect(cell?.levels.architecture).toBe('sidecar');
  });

  it('has one level of a factor that the command line sets', () => {
    const { cells } = resolve('factors: { architecture: [none, sidecar], rate: [1, 2] }', {
      set: { rate: 50, services: 2 },
    });
    expect(cells.map(({ levels }) => levels)).toEqual([
      { architecture: 'none', services: 2, rate: 50 },
      { architecture: 'sidecar', services: 2, rate: 50 },
    ]);
  });

  it('takes fields of itself and of the topology from the command line', () => {
    const { cells, experiment } = resolve('', {
      set: { repetitions: 2, 'topology.deadlines.hop': '9s', engine: 'json-rules-engine' },
    });
    expect(experiment.repetitions).toBe(2);
    expect(cells[0]?.graph.deadlines.hopUs).toBe(9e6);
    expect(cells[0]?.graph.enforcement.engine).toBe('json-rules-engine');
  });

  it('shares a deployment between rates of a round, and none when every repetition deploys', () => {
    const factors = 'factors: { architecture: [none, sidecar], rate: [1, 2] }';
    const deployments = (deploy: string) =>
      new Set(resolve(`deploy: ${deploy}\n${factors}`).cells.map(({ deployment }) => deployment)).size;
    expect(deployments('round')).toBe(2);
    expect(deployments('fresh')).toBe(4);
  });

  it('shares a deployment between numbers of load generators', () => {
    const { cells } = resolve('factors: { generators: [1, 2] }\ndeploy: round');
    expect(cells.map(({ levels }) => levels.generators)).toEqual([1, 2]);
    expect(cells.map(({ settings }) => settings.load.generators)).toEqual([1, 2]);
    expect(new Set(cells.map(({ deployment }) => deployment)).size).toBe(1);
  });

  it('has several load generators only where the driver can split the load', () => {
    expect(problems('load: { driver: autocannon, connections: 2, generators: 3 }')).toEqual([
      { line: 5, column: 57, code: 'TB_SCHEMA_INVALID', severity: undefined },
    ]);
    expect(problems('load: { driver: flight, generators: 2 }')[0]?.code).toBe('TB_SCHEMA_INVALID');
    expect(problems('load: { driver: autocannon, connections: 3, generators: 3 }')).toEqual([]);
  });

  it.each([
    ['load: { driver: autocannon, rate: 50 }', 'load.rate'],
    ['load: { driver: autocannon, arrivals: constant }', 'load.arrivals'],
    ['load: { driver: autocannon }\nfactors: { rate: [50, 60] }', 'load.rate'],
    ['load: { driver: open, connections: 5 }', 'load.connections'],
    ['factors: { connections: [5, 6] }', 'load.connections'],
    ['load: { driver: autocannon, connections: 5 }', undefined],
    ['load: { connections: 5, rate: 50 }\nfactors: { load.driver: [open, autocannon] }', undefined],
  ])('refuses a field that the driver does not use: %s', (fields, field) => {
    const found = field === undefined ? [] : ['TB_EXPERIMENT_UNUSED_FIELD'];
    expect(problems(fields).map(({ code }) => code)).toEqual(found);
  });

  it('names connections instead of a rate in the closed model', () => {
    expect(resolve('load: { driver: autocannon, connections: 3 }').cells[0]?.levels).toEqual({
      architecture: 'none',
      services: 4,
      'load.connections': 3,
    });
  });

  it('takes connections as a factor by either name, once', () => {
    for (const factor of ['connections', 'load.connections']) {
      const { cells } = resolve(`load: { driver: autocannon }\nfactors: { ${factor}: [3, 4] }`);
      expect(cells.map(({ levels }) => levels['load.connections'])).toEqual([3, 4]);
      expect(cells.map(({ settings }) => settings.load.connections)).toEqual([3, 4]);
      expect(Object.keys(cells[0]?.levels ?? {})).toEqual(['architecture', 'services', 'load.connections']);
    }
  });

  it.each([
    ['drain: 60s', []],
    ['drain: 61s', ['warning']],
    ['drain: 60s\nset: { deadlines.request: 59s }', ['warning']],
    ['drain: 10s\nset: { deadlines.request: 10s }', []],
    ['drain: 10s\nfactors: { topology.deadlines.request: [5s, 20s] }', ['warning']],
  ])('warns where the gateway gives requests up before the drain ends: %j', (fields, severities) => {
    const { problems, resolved } = checkExperiment(inputs(fields), studies);
    expect(problems.map(({ severity }) => severity)).toEqual(severities);
    expect(problems.filter(({ code }) => code !== 'TB_EXPERIMENT_SHORT_DEADLINE')).toEqual([]);
    expect(resolved).toBeDefined();
  });

  it('warns of more routers than services, and continues', () => {
    const { warnings, cells } = resolve('factors: { architecture: [dynamic-router-6] }');
    expect(warnings.map(({ code }) => code)).toEqual(['TB_TOPOLOGY_ROUTERS_ABOVE_SERVICES']);
    expect(cells[0]?.plan.roles.filter(({ kind }) => kind === 'router')).toHaveLength(4);
  });
});

describe('problems of an experiment', () => {
  it('are reported at once, each with its location', () => {
    expect(problems('duration: 10\nrepetition: 3\nfactors: { rate: [] }\n')).toEqual([
      { line: 5, column: 11, code: 'TB_UNIT_INVALID', severity: undefined },
      { line: 6, column: 1, code: 'TB_SCHEMA_UNKNOWN_KEY', severity: undefined },
      { line: 7, column: 18, code: 'TB_SCHEMA_INVALID', severity: undefined },
    ]);
  });

  it.each([
    ['rate: [100, 0]', 'TB_SCHEMA_INVALID'],
    ['rate: [100, 1000000000]', 'TB_SCHEMA_INVALID'],
    ['rate: [100, fast]', 'TB_SCHEMA_INVALID'],
    ['services: [1, 0]', 'TB_OVERRIDE_INVALID'],
    ['engine: [compiled, compield]', 'TB_SCHEMA_INVALID'],
    ['architecture: [none, sidecars]', 'TB_OVERRIDE_INVALID'],
    ['duration: [1s, 1]', 'TB_UNIT_INVALID'],
    ['topology.deadline: [1s]', 'TB_OVERRIDE_UNKNOWN_FIELD'],
    ['load.speed: [1]', 'TB_OVERRIDE_UNKNOWN_FIELD'],
  ])('such as the factor %s is found at its level', (factor, code) => {
    const found = checkExperiment(inputs(`factors:\n  ${factor}\n`), studies).problems;
    expect(found.map((problem) => problem.code)).toContain(code);
    expect(found.some(({ file, line }) => file === 'test.yaml' && line === 6)).toBe(true);
  });

  it.each([
    [
      `factors: { ${Array.from({ length: 7 }, (_, i) => `topology.fields.f${i}: [${Array.from({ length: 30 }, (_, k) => k).join(', ')}]`).join(', ')} }`,
      'topology.fields.f0 (30) × topology.fields.f1 (30) × topology.fields.f2 (30) × topology.fields.f3 (30) × topology.fields.f4 (30) × topology.fields.f5 (30) × topology.fields.f6 (30) makes 21870000000 cells, expected at most 1000',
    ],
    [
      `factors: { architecture: [none, sidecar], rate: [${Array.from({ length: 501 }, (_, k) => k + 1).join(', ')}] }`,
      'architecture (2) × rate (501) makes 1002 cells, expected at most 1000',
    ],
    [
      `factors: { rate: [${Array.from({ length: 101 }, (_, k) => k + 1).join(', ')}] }\nrepetitions: 1000`,
      '101 cells × 1000 repetitions makes 101000, expected at most 100000',
    ],
  ])('is that it is too large, which is known without expanding it: %.60s', (fields, message) => {
    const { problems } = checkExperiment(inputs(fields), studies);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([['TB_EXPERIMENT_TOO_LARGE', message]]);
  });

  it('do not include a size up to the limits', () => {
    const rates = Array.from({ length: 500 }, (_, k) => k + 1).join(', ');
    const fields = `factors: { architecture: [none, sidecar], rate: [${rates}] }\nrepetitions: 100`;
    expect(checkExperiment(inputs(fields), studies).resolved?.cells).toHaveLength(1000);
  });

  it('include those of the topology and its rules', () => {
    const broken = {
      ...inputs(''),
      topology: { file: 'chain.yaml', text: topology.replace('generate: 4', 'generate: none') },
    };
    expect(checkExperiment(broken, studies).problems).toEqual([
      expect.objectContaining({ file: 'chain.yaml', line: 5 }),
    ]);
  });

  it.each([
    ['set: { services.s.env.V: 1.10 }', '1.10'],
    ['set: { services.s.env: { W: a, V: 007 } }', '007'],
    ['factors: { topology.services.s.env.V: [a, 1e5] }', '1e5'],
  ])('include a variable of a service whose text would change: %s', (fields, text) => {
    const own = { file: 'chain.yaml', text: topology.replace('generate: 4', 'name: s, command: c') };
    const found = checkExperiment({ ...inputs(fields), topology: own }, studies).problems;
    expect(found).toMatchObject([
      { line: 5, column: fields.indexOf(text) + 1, message: expect.stringContaining(`${text}, which would arrive`) },
    ]);
    const quoted = fields.replace(text, `"${text}"`);
    expect(checkExperiment({ ...inputs(quoted), topology: own }, studies).problems).toEqual([]);
  });

  it('are an error with the code of the first problem', () => {
    expect(() => resolve('duration: 10')).toThrow(expect.objectContaining({ code: 'TB_UNIT_INVALID', exitCode: 2 }));
  });

  it.each([['[1, 2]'], ['just text'], ['{ a: }'], ['a: [']])('are reported for a file that contains %s', (text) => {
    const found = checkExperiment({ experiment: { file: 'bad.yaml', text }, choices: {} }, studies).problems;
    expect(found.length).toBeGreaterThan(0);
  });

  it('of the command line are thrown without a location', () => {
    expect(() => resolve('', { set: { 'topology.deadline': '1s' } })).toThrow(
      expect.objectContaining({ code: 'TB_OVERRIDE_UNKNOWN_FIELD' }),
    );
  });

  it('of the command line name the choice of a topology field that causes them, not a line of the topology', () => {
    const set = { 'topology.defaults.work': '1ms', 'topology.deadlines.hop': 'soon' };
    expect(() => resolve('', { set })).toThrow(/^the choice topology\.deadlines\.hop=soon: deadlines\.hop: /);
    // A fault of the file stays where it is.
    const broken = inputs('', { set: { 'topology.defaults.work': '1ms' } });
    const text = topology.replace('generate: 4', 'generate: none');
    const { problems } = checkExperiment({ ...broken, topology: { file: 'chain.yaml', text } }, studies);
    expect(problems).toEqual([expect.objectContaining({ file: 'chain.yaml', line: 5 })]);
  });
});
