import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { type ExperimentInputs, readInputs, textsByName } from '../src/read-inputs.ts';
import { checkExperiment, resolveExperiment } from '../src/resolve-experiment.ts';
import { newRunRecord } from '../src/run-record.ts';
import { resolveSides } from '../src/side-by-side/index.ts';

const head = 'apiVersion: topo-bench/v1';
const topology = `${head}
kind: Topology
name: chain
nodes: [{ name: a, region: eu }]
services: [{ name: scoring }, { name: orders }]
`;
const text = (fields: string) => `${head}\nkind: Experiment\nname: test\ntopology: chain.yaml\n${fields}`;

function inputs(fields: string, choices: ExperimentInputs['choices'] = {}): ExperimentInputs {
  return {
    experiment: { file: 'test.yaml', text: text(fields) },
    topology: { file: 'chain.yaml', text: topology },
    choices,
  };
}
const resolve = (fields: string, choices = {}) => resolveExperiment(inputs(fields, choices), studies);
const problems = (fields: string) =>
  checkExperiment(inputs(fields), studies).problems.map(({ line, column, code, message }) => ({
    ...{ line, column, code, message },
  }));

const plans = `factors:
  architecture: [central-entity, sidecar]
  plan:
    today: {}
    tomorrow: { rate: 80, work: 12ms, services.orders.work: { law: exponential, mean: 4ms } }
`;

describe('a factor with levels that have names', () => {
  it('sets a field to the value of each name', () => {
    const { cells } = resolve(`factors:
  services.scoring.work:
    steady: 12ms
    bursty: { law: exponential, mean: 12ms }
`);
    expect(cells.map(({ levels, graph }) => [levels, graph.services[0]?.work.law])).toEqual([
      [{ architecture: 'none', services: 2, rate: 100, 'services.scoring.work': 'steady' }, 'constant'],
      [{ architecture: 'none', services: 2, rate: 100, 'services.scoring.work': 'bursty' }, 'exponential'],
    ]);
  });

  it('has a name of its own, and levels that set several fields of experiment and topology', () => {
    const { cells } = resolve(plans);
    expect(cells.map(({ levels }) => levels)).toEqual([
      { architecture: 'central-entity', services: 2, plan: 'today' },
      { architecture: 'central-entity', services: 2, plan: 'tomorrow' },
      { architecture: 'sidecar', services: 2, plan: 'today' },
      { architecture: 'sidecar', services: 2, plan: 'tomorrow' },
    ]);
    expect(
      cells.slice(0, 2).map(({ settings, graph }) => [settings.load.rate, ...graph.services.map(({ work }) => work)]),
    ).toMatchObject([
      [100, { meanUs: 100 }, { meanUs: 100 }],
      [80, { meanUs: 12_000 }, { law: 'exponential', meanUs: 4000 }],
    ]);
  });

  it('does not repeat the number of routers of its levels in the architecture', () => {
    const routers =
      'factors: { architecture: [dynamic-router], size: { small: { routers: 1 }, large: { enforcement.routers: 2 } } }';
    expect(resolve(routers).cells.map(({ levels: { architecture, size } }) => [architecture, size])).toEqual([
      ['dynamic-router', 'small'],
      ['dynamic-router', 'large'],
    ]);
  });

  it('is narrowed by name, and set to one of its names', () => {
    expect(resolve(plans, { only: { plan: ['tomorrow'] } }).cells).toHaveLength(2);
    const { cells } = resolve(plans, { set: { plan: 'tomorrow' }, only: { architecture: ['sidecar'] } });
    expect(cells.map(({ levels, settings }) => [levels.plan, settings.load.rate])).toEqual([['tomorrow', 80]]);
    expect(() => resolve(plans, { set: { plan: 'never' } })).toThrow('plan has no level "never"');
    const field = 'factors: { work: { light: 1ms, heavy: 9ms } }';
    const works = (work: string) =>
      resolve(field, { set: { 'defaults.work': work } }).cells.map(({ levels, graph }) => [
        levels.work,
        graph.services[0]?.work.meanUs,
      ]);
    expect([...works('heavy'), ...works('3ms')]).toEqual([
      ['heavy', 9000],
      ['3ms', 3000],
    ]);
  });

  it('has every problem at its level', () => {
    expect(problems('factors:\n  plan:\n    a: { werk: 1ms }\n    b: { work: 1 parsec }\n')).toMatchObject([
      { line: 7, code: 'TB_OVERRIDE_UNKNOWN_FIELD', message: expect.stringContaining('"werk"') },
      { line: 8, code: 'TB_UNIT_INVALID', message: expect.stringContaining('parsec') },
    ]);
    expect(problems('factors:\n  wrk: { a: 1ms, b: 2ms }\n')).toMatchObject([
      { line: 6, column: 13, code: 'TB_OVERRIDE_UNKNOWN_FIELD' },
      { line: 6, column: 21, code: 'TB_OVERRIDE_UNKNOWN_FIELD' },
    ]);
    expect(problems('factors: { plan: {} }')).toMatchObject([{ line: 5, code: 'TB_SCHEMA_INVALID' }]);
    expect(problems('factors: { work: [1ms], plan: { a: { defaults.work: 2ms } } }')).toMatchObject([
      { code: 'TB_EXPERIMENT_DUPLICATE_FACTOR', message: 'factors: plan and work set the same field' },
    ]);
    expect(problems('factors: { plan: { a: {}, b: { work: 100us } } }')).toMatchObject([
      { code: 'TB_EXPERIMENT_EQUAL_LEVELS' },
    ]);
  });

  it('may have the driver, whose fields are then checked', () => {
    const driver = 'load: { rate: 5 }\nfactors: { load.driver: { closed: autocannon } }';
    expect(problems(driver)).toMatchObject([{ line: 5, message: 'load.rate: the driver autocannon does not use it' }]);
  });

  it('takes no column that tables need', () => {
    const codes = (fields: string) => problems(fields).map(({ code }) => code);
    expect(codes('factors: { rate: { low: 10, high: 20 } }')).toEqual(['TB_EXPERIMENT_LEVEL_NAMES']);
    expect(codes('factors: { class: { a: { work: 1ms } } }')).toEqual(['TB_EXPERIMENT_LEVEL_NAMES']);
    expect(codes('factors: { plan: { a: { enforcement.architecture: sidecar } } }')).toEqual([
      'TB_EXPERIMENT_LEVEL_NAMES',
    ]);
  });

  it.each([
    ['{ a: {}, b: { set: { work: 12ms } } }', 'set is one for all levels'],
    ['{ a: {}, b: { topology: other.yaml } }', 'topology is one for all levels'],
    ['{ a: {}, b: { load: { rate: 80 } } }', 'load has rate, a column of every table'],
    [
      '{ a: {}, b: { enforcement: { architecture: sidecar } } }',
      'enforcement has architecture, a column of every table',
    ],
  ])('sets nothing that a level cannot vary: %s', (levels, message) => {
    expect(problems(`factors:\n  plan: ${levels}\n`)).toContainEqual({
      ...{ line: 6, column: expect.any(Number), code: 'TB_EXPERIMENT_LEVEL_NAMES', message },
    });
  });

  it('with events has their problems at its level', () => {
    const events = '{ calm: none, rough: 2s crash nobody restart 1s }';
    const found = [
      problems(`factors:\n  events: ${events}\n`),
      problems(`factors:\n  plan: { a: {}, b: { events: 2s crash nobody restart 1s } }\n`),
    ];
    expect(found.map((some) => some.map(({ line, column }) => [line, column]))).toEqual([[[6, 32]], [[6, 31]]]);
  });

  it('is recorded with what its levels set', () => {
    const record = newRunRecord(resolve(plans), { version: '0', command: [], startedAt: new Date() });
    expect(record.experiment).toMatchObject({ factors: { plan: { tomorrow: { rate: 80 } } } });
    expect(record.plannedCells[1]).toMatchObject({ plan: 'tomorrow' });
  });

  it('names rule files, which are read', async () => {
    const rules = (effect: string) =>
      `${head}\nkind: Rules\nname: r\nrules: [{ id: all, when: { fact: request, path: $.origin, operator: equal, value: eu }, effect: ${effect} }]\n`;
    const read = textsByName({
      'test.yaml': text('factors: { law: { old: { rules: old.yaml }, new: { rules: new.yaml, work: 1ms } } }'),
      'chain.yaml': topology,
      'old.yaml': rules('allow'),
      'new.yaml': rules('deny'),
    });
    const { cells } = resolveExperiment(await readInputs('test.yaml', {}, studies, read), studies);
    expect(cells.map(({ levels, graph }) => [levels.law, graph.source.rules?.rules[0]?.effect])).toEqual([
      ['old', 'allow'],
      ['new', 'deny'],
    ]);
  });

  it('gives the sides of a gate no different loads', async () => {
    const read = textsByName({ 'test.yaml': text(plans), 'chain.yaml': topology });
    const sides = { baseline: { set: {} }, candidate: { set: { plan: 'tomorrow' } } };
    const choices = { set: { plan: 'today' } };
    await expect(resolveSides('test.yaml', choices, sides, studies, read)).rejects.toThrow(
      'plan is no field of the topology',
    );
  });
});

describe('names of fields', () => {
  it('are short ones wherever paths are: in fields that an experiment sets', () => {
    const [cell] = resolve('set: { architecture: dynamic-router-2, work: 3ms, enforcement.style: nested }').cells;
    expect([cell?.levels.architecture, cell?.graph.services[0]?.work.meanUs]).toEqual(['dynamic-router-2', 3000]);
    expect(() => resolve('set: { rate: 3 }')).toThrow('cannot be used');
  });

  it('are paths wherever short names are: an architecture is one factor under both', () => {
    const { cells } = resolve('factors: { enforcement.architecture: [none, dynamic-router-2] }');
    expect(cells.map(({ levels }) => levels)).toEqual([
      { architecture: 'none', services: 2, rate: 100 },
      { architecture: 'dynamic-router-2', services: 2, rate: 100 },
    ]);
    expect(
      resolve('factors: { architecture: [none, sidecar] }', { set: { 'enforcement.architecture': 'sidecar' } }).cells,
    ).toHaveLength(1);
  });
});
