import { textsByName } from '@topo-bench/experiment/read-inputs';
import { describe, expect, it, test } from 'vitest';
import { checkFile } from '../src/check-file.ts';
import { openTopology } from '../src/open-topology.ts';
import { shop, withText } from './fixtures/shop.ts';

const problemsOf = async (file: string, changed: Parameters<typeof shop>[0] = {}) =>
  (await checkFile(file, shop(changed))).problems.map(
    ({ file, line, column, code }) => `${file}:${line}:${column} ${code}`,
  );
const topology = 'topologies/chain.yaml';
const head = 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\n';

test.each([
  'services:\n- name: a\n- name: d\n  isEntrypoint: true\n  script:\n  - call: a\n',
  'apiVersion: v1alpha1\nkind: MockServiceMesh\nservices:\n- name: a\n',
])('a graph of calls is named, with what a flow cannot express', async (text) => {
  const { problems } = await checkFile('graph.yaml', { read: textsByName({ 'graph.yaml': text }) });
  expect(problems).toMatchObject([
    { message: expect.stringContaining('got a graph of calls (isotope)'), hint: expect.stringContaining('once') },
  ]);
});

test('an experiment has what its comparison can show, and where it can show nothing', async () => {
  const canShow = async (words: string, others: string) =>
    (await checkFile('shop.yaml', withText(words, others))).canShow;
  expect(await canShow('repetitions: 3', 'repetitions: 3')).toBe(
    'with 3 repetitions no difference can be shown, however large; 4 can show one.',
  );
  expect(await canShow('repetitions: 3', 'repetitions: 8')).toMatch(
    /^with 8 repetitions a difference is shown four times out of five from about 2\.\d% where rounds vary by 2%, 1\d% where rounds vary by 10%\.$/,
  );
  expect(await canShow('repetitions: 3', 'repetitions: 1')).toBeUndefined();
  expect((await checkFile(topology, shop())).canShow).toBeUndefined();
  // Pairs of a gate are no repetitions of a run.
  expect(await canShow('repetitions: 3', "repetitions: 1\nthresholds: ['rtt.median < +5%', 'rtt.p95 < 20ms']")).toBe(
    'as a side-by-side gate, rtt.median < +5%: fails a change of +10.0% in all cells 19 times out of 20, after 8 pairs where pairs vary by 2%, about 61 by 10%.',
  );
  expect(await canShow('repetitions: 3', "repetitions: 1\nthresholds: ['rtt.p95 < 20ms']")).toBeUndefined();
  expect(await canShow('repetitions: 3', "repetitions: 1\nthresholds: ['no.metric < +5%']")).toBeUndefined();
});

test('rules without examples are a warning where their file is checked, not where it is one of many', async () => {
  const rules = {
    'rules/none.yaml':
      'apiVersion: topo-bench/v1\nkind: Rules\nname: one\nrules:\n' +
      '  - { id: a, effect: deny, when: { fact: request, path: $.origin, operator: equal, value: eu } }\n',
  };
  expect(await problemsOf('rules/none.yaml', rules)).toEqual(['rules/none.yaml:4:1 TB_RULES_NO_EXAMPLES']);
  expect(await problemsOf('shop.yaml', rules)).toEqual([]);
});

describe('a file', () => {
  it.each([['shop.yaml'], [topology], ['rules/none.yaml']])('of any kind is checked: %s', async (file) => {
    expect(await problemsOf(file)).toEqual([]);
  });

  it('is checked with the files that it leads to', async () => {
    const rules = { 'rules/none.yaml': 'apiVersion: topo-bench/v1\nkind: Rules\nname: 5\nrules: []\n' };
    for (const file of ['shop.yaml', topology, 'rules/none.yaml']) {
      expect(await problemsOf(file, rules)).toEqual(['rules/none.yaml:3:7 TB_SCHEMA_INVALID']);
    }
    const none = { 'rules/none.yaml': undefined };
    expect(await problemsOf(topology, none)).toEqual([`${topology}:6:8 TB_FILE_NOT_FOUND`]);
    await expect(problemsOf('rules/none.yaml', none)).rejects.toMatchObject({ code: 'TB_FILE_NOT_FOUND' });
  });

  it('of no known kind is one problem, at its kind', async () => {
    expect(await problemsOf('pod.yaml', { 'pod.yaml': 'apiVersion: v1\nkind: Pod\n' })).toEqual([
      'pod.yaml:2:7 TB_SCHEMA_INVALID',
    ]);
    expect(await problemsOf('broken.yaml', { 'broken.yaml': 'kind: [' })).toEqual([
      expect.stringContaining('TB_FILE_SYNTAX'),
    ]);
  });
});

describe('a topology without an experiment', () => {
  const opened = (text: string, choices: Parameters<typeof openTopology>[1] = {}) =>
    openTopology(topology, choices, textsByName({ [topology]: `${head}${text}\n` }));

  it('has the graph of its choices', async () => {
    const { graph, problems } = await opened('services: [{ generate: 2 }]', { services: 5, architecture: 'sidecar' });
    expect([graph.services.length, graph.enforcement.architecture, problems]).toEqual([5, 'sidecar', []]);
  });

  it.each([
    ['services: [{ generate: 2 }]', { services: 5, work: 'zz' }, 'the choice work=zz: ', '1:1', 'work'],
    ['services: [{ generate: 2 }]', { wrk: '5ms' }, 'a topology has no field "wrk"', '1:1', undefined],
    ['services: [{ generate: none }]', { work: '5ms' }, `${topology} cannot be used: one problem`, '4:24', undefined],
  ])('%s with %j has no graph, and the problem at its place', async (text, choices, message, place, choice) => {
    const one = await opened(text, choices as Parameters<typeof openTopology>[1]);
    expect(() => one.graph).toThrow(message);
    expect(one.problems.map(({ line, column, ...more }) => [`${line}:${column}`, more.choice])).toEqual([
      [place, choice],
    ]);
  });
});
