import { experimentFile } from '@topo-bench/core/schema/experiment';
import { topologyFile } from '@topo-bench/core/schema/topology';
import { describe, expect, it } from 'vitest';
import { documentKind, readDocument } from '../src/read-document.ts';

const read = (text: string) => readDocument(topologyFile, text, 't.yaml');
const brief = (text: string) => read(text).problems.map(({ line, column, code }) => `${line}:${column} ${code}`);

const head = 'apiVersion: topo-bench/v1\nkind: Topology\nname: x\n';

describe('a text that is not well-formed', () => {
  it.each([
    ['an unclosed list', `${head}services: [{ name: a }\n`, /^[45]:\d+ TB_FILE_SYNTAX$/],
    ['a duplicate key', `${head}name: y\nservices: [{ name: a }]\n`, /^4:1 TB_FILE_SYNTAX$/],
    ['a second document', `${head}services: [{ name: a }]\n---\na: 1\n`, /^5:1 TB_FILE_SYNTAX$/],
    ['a key that is a list', `${head}? [a]\n: b\nservices: [{ name: a }]\n`, /^4:3 TB_FILE_SYNTAX$/],
    ['a tag that would be code elsewhere', `${head}services: !!js/function 'x'\n`, /^4:11 TB_FILE_SYNTAX$/],
    ['nothing at all', '', /^1:1 TB_FILE_SYNTAX$/],
    ['an alias without its anchor', `${head}services: *nowhere\n`, /^4:11 TB_FILE_SYNTAX$/],
  ])('is reported with its place: %s', (_, text, expected) => {
    const [first] = brief(text);
    expect(first).toMatch(expected);
    expect(read(text).value).toBeUndefined();
  });

  it('is refused when its aliases would explode', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`,
    );
    expect(brief(`a0: &a0 [x]\n${levels.join('\n')}\n`)).toEqual(['6:25 TB_FILE_SYNTAX']);
    expect(read(`a0: &a0 [x]\n${levels.slice(0, 3).join('\n')}\n`).problems[0]?.code).toBe('TB_SCHEMA_MISSING_KEY');
  });

  it.each(['&all [*all]', '&all [{ a: [*all] }]', '[&a [&b [*a], *b]]'])(
    'is refused when an alias contains itself: %s',
    (value) => {
      const [problem, ...others] = read(`services: ${value}\n`).problems;
      expect([problem?.code, problem?.line, others]).toEqual(['TB_FILE_SYNTAX', 1, []]);
      expect(problem?.message).toMatch(/^the alias "(all|a)" contains itself$/);
    },
  );

  it('is accepted with many aliases of one anchor', () => {
    const services = Array.from({ length: 900 }, (_, i) => `  - { name: s${i}, work: *w, tags: *t }\n`).join('');
    const text = `${head}services:\n  - { name: first, work: &w { law: constant, mean: 1ms }, tags: &t [a, b] }\n${services}`;
    const { value, problems } = read(text);
    expect(problems).toEqual([]);
    expect(value?.services.at(-1)).toMatchObject({ name: 's899', work: { meanUs: 1000 }, tags: ['a', 'b'] });
  });

  it.each([
    ['utf16le', [0xff, 0xfe]],
    ['utf16le', []],
    ['utf16be', [0xfe, 0xff]],
  ] as const)('is refused with its encoding: %s', (encoding, mark) => {
    const text = Buffer.from(`${head}services: [{ name: a }]\n`, 'utf16le');
    const bytes = Buffer.concat([Buffer.from(mark), encoding === 'utf16be' ? text.swap16() : text]);
    expect(read(bytes.toString('utf8')).problems).toMatchObject([
      { code: 'TB_FILE_SYNTAX', message: 'the file is not UTF-8 text', hint: expect.stringContaining('iconv') },
    ]);
    expect(read(`\ufeff${head}services: [{ name: a }]\n`).problems).toEqual([]);
  });

  it('is refused at the first byte that is no UTF-8, whose text a rule would compare with another one', () => {
    const bytes = Buffer.from(`${head}# x\nservices: [{ name: a, tags: [Müller] }]\n`, 'latin1');
    expect(read(bytes.toString('utf8')).problems).toMatchObject([
      {
        line: 5,
        column: 31,
        message: 'got U+FFFD, which stands for bytes that are not UTF-8',
        hint: expect.stringContaining('LATIN1'),
      },
    ]);
    expect(read(`${head}# Müller\nservices: [{ name: a }]\n`).problems).toEqual([]);
  });

  it('is refused at a merge key of YAML 1.1, and not at a key in quotes', () => {
    const text = `${head}services:\n  - &a { name: a }\n  - { <<: *a, name: b }\n`;
    expect(read(text).problems).toMatchObject([
      { line: 6, column: 7, message: 'a merge key (<<) is YAML 1.1', hint: expect.stringContaining('key: *anchor') },
    ]);
    expect(read(text.replace('<<', '"<<"')).problems[0]?.code).toBe('TB_SCHEMA_UNKNOWN_KEY');
  });

  it.each([200, 20_000])('is refused when it is nested %i levels deep', (levels) => {
    const [problem] = read(`flow: ${'['.repeat(levels)}${']'.repeat(levels)}`).problems;
    expect(problem).toMatchObject({
      code: 'TB_FILE_SYNTAX',
      message: expect.stringContaining('nested more than 100 levels'),
    });
  });
});

describe('a text against its schema', () => {
  it('is read from JSON as from YAML, tabs and all', () => {
    const json =
      '{\n\t"apiVersion": "topo-bench/v1",\n\t"kind": "Topology",\n\t"name": "x",\n\t"services": [{ "nme": "a" }]\n}';
    expect(brief(json)).toEqual(['5:15 TB_SCHEMA_MISSING_KEY', '5:17 TB_SCHEMA_UNKNOWN_KEY']);
  });

  it('may use anchors, and problems inside them have their place', () => {
    const text = `${head}services:\n  - { name: a, work: &w { law: constant, mean: 1 } }\n  - { name: b, work: *w }\n`;
    expect(brief(text)).toEqual(['5:48 TB_UNIT_INVALID', '5:48 TB_UNIT_INVALID']);
  });

  it('gets every unknown key reported at its own place with the nearest name', () => {
    const { problems } = read(
      `${head}nods: []\nservices:\n  - { name: a, nod: eu-1, wrk: 1ms }\nenforcement:\n  stile: nested\n`,
    );
    expect(problems.map(({ line, column, hint }) => [line, column, hint])).toEqual([
      [4, 1, 'did you mean "nodes"?'],
      [6, 16, 'did you mean "node"?'],
      [6, 27, 'did you mean "work"?'],
      [8, 3, 'did you mean "style"?'],
    ]);
  });

  it.each([
    ['an entry that is neither form of service', '{}', '5:5', 'services[0] lacks the key "name" or "generate"'],
    [
      'a law that does not exist',
      '{ name: a, work: { law: exp, mean: 1ms } }',
      '5:29',
      'expected "constant", "exponential" or "lognormal", received "exp"',
    ],
    [
      'a work of the wrong type',
      '{ name: a, work: [1] }',
      '5:22',
      'services[0].work: expected a text or a map, received a list',
    ],
    [
      'a misspelt key of a generated service',
      '{ generate: 3, prefx: s }',
      '5:20',
      'unknown key "prefx" in services[0]',
    ],
    [
      'a number where a name belongs',
      '{ name: 12 }',
      '5:13',
      'services[0].name: expected a text, received the number 12',
    ],
    ['a name that is no host name', '{ name: "a b" }', '5:13', 'services[0].name: expected 1 to 63 letters'],
    ['a count out of range', '{ generate: 0 }', '5:17', 'services[0].generate: expected at least 1, received 0'],
    [
      'a count that is no whole number',
      '{ generate: 1.5 }',
      '5:17',
      'services[0].generate: expected a whole number, received the number 1.5',
    ],
    ['a duration without a unit', '{ name: a, work: 10 }', '5:22', 'services[0].work: "10" is not a duration'],
    [
      'a key of another law',
      '{ name: a, work: { law: exponential, mean: 1ms, sigma: 1 } }',
      '5:53',
      'unknown key "sigma" in services[0].work',
    ],
    [
      'a duration that is missing',
      '{ name: a, work: { law: exponential } }',
      '5:22',
      'services[0].work lacks the key "mean"',
    ],
  ])('gets %s named in words for people', (_, service, place, message) => {
    const { problems } = read(`${head}services:\n  - ${service}\n`);
    expect(problems).toHaveLength(1);
    expect(`${problems[0]?.line}:${problems[0]?.column}`).toBe(place);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.message).not.toContain('Invalid input');
  });

  it.each(['007', '1e5', '1.10', '12345678901234567890', '0x1F', 'True', 'null', '.5'])(
    'hints at quotes around %s as the file has it',
    (text) => {
      const hint = `write it in quotes: "${text}"`;
      const [name] = read(`${head}services: [{ name: ${text} }]\n`).problems;
      expect(name?.hint).toBe(hint);
      const [step] = read(`${head}services: [{ name: a }]\nflow: [a, ${text}]\n`).problems;
      expect(step?.hint).toBe(hint);
    },
  );

  it('takes NO for a text, and hints at true and false where these are expected', () => {
    expect(read(`${head}services: [{ name: NO }]\n`).value?.services[0]).toMatchObject({ name: 'NO' });
    const experiment = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: x\ntopology: t.yaml\nkeepRequests: NO\n';
    const { problems } = readDocument(experimentFile(), experiment, 'e.yaml');
    expect(problems.find(({ line }) => line === 5)?.hint).toBe(
      'write true or false: yes, no, on and off are texts in YAML 1.2',
    );
  });

  it('is named where it is a graph of calls, with what a flow cannot express', () => {
    const graph = 'services:\n- name: a\n- name: d\n  isEntrypoint: true\n  script:\n  - call: a\n  - call: a\n';
    for (const text of [graph, `apiVersion: v1alpha1\nkind: MockServiceMesh\n${graph}`])
      expect(read(text).problems).toMatchObject([
        { message: expect.stringContaining('a graph of calls (isotope)'), hint: expect.stringContaining('once') },
      ]);
  });

  it('names an enumeration and the nearest of its values', () => {
    const { problems } = read(`${head}services: [{ name: a }]\nflow: chian\nenforcement: { architecture: sidcar }\n`);
    expect(problems.map(({ message, hint }) => [message, hint])).toEqual([
      ['flow: expected "chain" or a list, received "chian"', 'did you mean "chain"?'],
      [expect.stringContaining('enforcement.architecture: expected "none"'), 'did you mean "sidecar"?'],
    ]);
  });

  it('is read with units and defaults when nothing is wrong', () => {
    const { value, problems } = read(`${head}services: [{ name: a, work: 2ms, responseSize: 1KiB }]\n`);
    expect(problems).toEqual([]);
    expect(value?.services[0]).toMatchObject({
      work: { law: 'constant', meanUs: 2000, kind: 'cpu' },
      responseSize: 1024,
    });
    expect(value?.deadlines).toEqual({ hop: 5e6, request: 60e6 });
  });

  it('works for each of our schemas', () => {
    const text =
      'apiVersion: topo-bench/v1\nkind: Experiment\nname: x\ntopology: t.yaml\nduration: 10\nload: { rate: 0, arrivls: poisson }\n';
    expect(
      readDocument(experimentFile(), text, 'e.yaml').problems.map(
        ({ line, column, code }) => `${line}:${column} ${code}`,
      ),
    ).toEqual(['5:11 TB_UNIT_INVALID', '6:15 TB_SCHEMA_INVALID', '6:18 TB_SCHEMA_UNKNOWN_KEY']);
  });
});

it('the kind of a file is what it states, whatever else is wrong with it', () => {
  expect(documentKind('kind: Rules\nrules: 3')).toBe('Rules');
  expect(documentKind('name: x')).toBeUndefined();
  expect(documentKind('[')).toBeUndefined();
});
