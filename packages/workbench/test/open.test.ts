import { describe, expect, it } from 'vitest';
import { open } from '../src/index.ts';
import { shop, withText } from './fixtures/shop.ts';

const problemsOf = async (...given: Parameters<typeof open>) =>
  (await open(...given)).problems.map(({ file, line, column, code, choice }) =>
    [`${file}:${line}:${column}`, code, choice].filter((one) => one !== undefined).join(' '),
  );

describe('an experiment in memory', () => {
  it('has a cell for each combination of levels, with the graph of its topology and rules', async () => {
    const bench = await open(shop(), { set: { services: 3 } });
    expect(bench.problems).toEqual([]);
    expect(bench.cells.map(({ levels }) => levels)).toEqual([
      { architecture: 'central-entity', services: 3, rate: 10 },
      { architecture: 'sidecar', services: 3, rate: 10 },
    ]);
    expect(bench.cells.map(({ graph }) => [graph.name, graph.services.length])).toEqual([
      ['chain', 3],
      ['chain', 3],
    ]);
  });

  it('takes the topology and the rules that a choice names', async () => {
    const other = 'apiVersion: topo-bench/v1\nkind: Topology\nname: other\nservices: [{ generate: 1 }]\n';
    const bench = await open(shop({ 'other.yaml': other }), { set: { topology: 'other.yaml' } });
    expect(bench.cells.map(({ graph }) => graph.name)).toEqual(['other', 'other']);
  });
});

describe('problems', () => {
  it('of all texts are found at once, each at its place', async () => {
    const texts = withText('rate: 10', 'rate: fast');
    const broken = { ...texts.files, 'topologies/chain.yaml': 'apiVersion: topo-bench/v1\nkind: Topology\nname: 5\n' };
    expect(await problemsOf({ experiment: 'shop.yaml', files: broken })).toEqual([
      'shop.yaml:6:15 TB_SCHEMA_INVALID',
      'topologies/chain.yaml:1:1 TB_SCHEMA_MISSING_KEY',
      'topologies/chain.yaml:3:7 TB_SCHEMA_INVALID',
    ]);
  });

  it('of a level are at the level', async () => {
    expect(await problemsOf(withText('sidecar', 'sidecars'))).toEqual(['shop.yaml:5:43 TB_OVERRIDE_INVALID']);
  });

  it('of a text that is missing are at the place that leads to it', async () => {
    expect(await problemsOf(shop({ 'topologies/chain.yaml': undefined }))).toEqual([
      'shop.yaml:4:11 TB_FILE_NOT_FOUND',
    ]);
    const [problem] = (await open(shop({ 'rules/none.yaml': undefined }))).problems;
    expect(problem?.message).toMatch(/^cannot read rules\/none\.yaml, which topologies\/chain\.yaml names/);
    expect(await problemsOf({ experiment: 'none.yaml', files: {} })).toEqual(['none.yaml:1:1 TB_FILE_NOT_FOUND']);
  });

  it.each([
    [{ set: { rate: 0 } }, 'shop.yaml:1:1 TB_SCHEMA_INVALID rate'],
    [{ set: { 'deadlines.hop': 'soon', seed: 7 } }, 'shop.yaml:1:1 TB_UNIT_INVALID deadlines.hop'],
    [{ set: { seed: 7, 'load.driver': 'autocannon', deploy: 'interleaved' } }, 'TB_EXPERIMENT_INTERLEAVED load.driver'],
    [{ set: { speed: 3 } }, 'shop.yaml:1:1 TB_OVERRIDE_UNKNOWN_FIELD'],
    [{ only: { architecture: ['sidecars'] } }, 'shop.yaml:1:1 TB_EXPERIMENT_UNKNOWN_LEVEL'],
  ])('of the choices %j are those of a choice, not of a line', async (choices, text) => {
    const found = await problemsOf(shop(), choices);
    expect(found).toEqual([expect.stringContaining(text)]);
  });

  it('leave no cells, and are the error of every use', async () => {
    const bench = await open(withText('rate: 10', 'rate: 0'));
    expect(bench.cells).toEqual([]);
    const error = expect.objectContaining({
      code: 'TB_SCHEMA_INVALID',
      message: expect.stringContaining('one problem'),
    });
    expect(() => bench.resolved).toThrow(error);
    const backends = () => Promise.reject(new Error('no backend is needed'));
    await expect(bench.run({ backends, version: '1', command: [] })).rejects.toEqual(error);
    await expect(bench.estimate(backends)).rejects.toEqual(error);
  });

  it('that are warnings leave the cells', async () => {
    const { problems, cells } = await open(withText('sidecar', 'dynamic-router-6'));
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(cells).toHaveLength(2);
  });
});
