import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  smallExperiment,
  smallRules,
  smallTopology,
  temporaryFolder,
  writeSmallFiles,
} from './fixtures/small-files.ts';
import { root, topoBench } from './fixtures/topo-bench.ts';

const shipped = ['topologies', 'rules', 'experiments'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file)),
);

describe('shipped files', () => {
  it('are valid', async () => {
    const { code, stdout } = await topoBench(['validate', ...shipped, '--json']);
    const { problems } = JSON.parse(stdout) as { problems: { severity?: string }[] };
    expect(problems.filter(({ severity }) => severity !== 'warning')).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(shipped)('%s names its schema and opens with a sentence on its purpose', (file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    expect(lines[0]).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\/schema\/\w+\.schema\.json$/);
    expect(lines[1]).toMatch(/^# [A-Z]/);
  });

  it('decide as their examples say', async () => {
    for (const file of shipped.filter((path) => path.startsWith('rules'))) {
      const { code, stdout } = await topoBench(['rules', 'test', file, '--json']);
      const { results, passed } = JSON.parse(stdout);
      expect([file, code, passed]).toEqual([file, 0, true]);
      expect(results.length).toBeGreaterThan(0);
    }
  });
});

describe('validate', () => {
  const folder = temporaryFolder();
  const problemsOf = async (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const { code, stdout } = await topoBench(['validate', path, '--json'], { cwd: folder });
    return {
      code,
      problems: (JSON.parse(stdout) as { problems: { code: string; line: number; column: number; hint?: string }[] })
        .problems,
    };
  };
  writeSmallFiles(folder);

  it.each([
    ['malformed YAML', 'a.yaml', `${smallTopology}nodes: [\n`, 'TB_FILE_SYNTAX', undefined],
    ['a wrong type', 'b.yaml', smallTopology.replace('nodes: [{', 'nodes: [1, {'), 'TB_SCHEMA_INVALID', undefined],
    ['an unknown key', 'c.yaml', `${smallTopology}servises: []\n`, 'TB_SCHEMA_UNKNOWN_KEY', 'did you mean "services"?'],
    [
      'a rule on an unknown fact',
      'd.yaml',
      smallRules.replace('fact: request', 'fact: reqest'),
      'TB_RULES_UNKNOWN_FACT',
      'facts: request, target, flow',
    ],
    ['a rate of 0', 'e.yaml', smallExperiment.replace('rate: 40', 'rate: 0'), 'TB_SCHEMA_INVALID', undefined],
    [
      'a rate of 10^9',
      'f.yaml',
      smallExperiment.replace('rate: 40', 'rate: 1000000000'),
      'TB_SCHEMA_INVALID',
      undefined,
    ],
    [
      'a topology that is missing',
      'g.yaml',
      smallExperiment.replace('topology.yaml', 'gone.yaml'),
      'TB_FILE_NOT_FOUND',
      undefined,
    ],
    [
      'a product of factors that would fill the memory',
      'l.yaml',
      `${smallExperiment.replace(/factors:\n.*\n/, '')}factors:\n${Array.from({ length: 7 }, (_, i) => `  topology.requests.f${i}: [${Array.from({ length: 30 }, (_, level) => level)}]\n`).join('')}`,
      'TB_EXPERIMENT_TOO_LARGE',
      'leave out levels',
    ],
    [
      'services by the billion',
      'm.yaml',
      smallTopology.replace('{ name: orders, node: eu-1 }', '{ generate: 1000000000 }'),
      'TB_SCHEMA_INVALID',
      undefined,
    ],
    [
      'a factor of services by the billion',
      'n.yaml',
      smallExperiment.replace('architecture: [central-entity, sidecar]', 'services: [1000000000]'),
      'TB_OVERRIDE_INVALID',
      undefined,
    ],
    ['no kind', 'h.yaml', 'name: x\n', 'TB_SCHEMA_INVALID', 'kinds: Topology, Rules, Experiment'],
    ['an empty file', 'i.yaml', '', 'TB_FILE_SYNTAX', undefined],
  ])('finds %s', async (_, name, text, code, hint) => {
    const { code: exit, problems } = await problemsOf(name, text);
    expect(exit).toBe(2);
    expect(problems[0]).toMatchObject({ code, file: name, line: expect.any(Number), column: expect.any(Number) });
    if (hint !== undefined) expect(problems[0]?.hint).toContain(hint);
  });

  it('reports every problem of every file in one go', async () => {
    writeFileSync(
      join(folder, 'j.yaml'),
      smallTopology.replace('node: eu-1 }', 'node: eu-9 }').replace('16B', '16').replace('us-1, tags', 'us-7, tags'),
    );
    writeFileSync(join(folder, 'k.yaml'), smallRules.replace('effect: deny', 'effect: denied'));
    const { stdout } = await topoBench(['validate', 'j.yaml', 'k.yaml'], { cwd: folder });
    expect(stdout).toMatch(/j\.yaml:5:\d+: error TB_TOPOLOGY_UNKNOWN_NODE/);
    expect(stdout).toMatch(/j\.yaml:8:\d+: error TB_UNIT_INVALID/);
    expect(stdout).toMatch(/k\.yaml:6:\d+: error TB_SCHEMA_INVALID/);
    expect(stdout.match(/TB_TOPOLOGY_UNKNOWN_NODE/g)).toHaveLength(2);
  });
});

describe('init', () => {
  const folder = temporaryFolder();

  it('writes files that are valid, whose examples hold and that can be planned', async () => {
    const written = await topoBench(['init', 'study'], { cwd: folder });
    expect(written.code).toBe(0);
    const files = ['study/topology.yaml', 'study/rules.yaml', 'study/experiment.yaml'];
    const validated = await topoBench(['validate', ...files], { cwd: folder });
    expect(validated.stdout).toBe('3 files checked: 0 errors\n');
    expect((await topoBench(['rules', 'test', 'study/rules.yaml'], { cwd: folder })).code).toBe(0);
    const planned = await topoBench(['run', 'study/experiment.yaml', '--dry-run', '--json'], { cwd: folder });
    expect(JSON.parse(planned.stdout).cells).toHaveLength(4);
  });

  it('overwrites nothing unless forced', async () => {
    writeSmallFiles(folder);
    const refused = await topoBench(['init'], { cwd: folder });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'TB_FILE_EXISTS: init does not overwrite files: got topology.yaml, rules.yaml, experiment.yaml',
    );
    expect(readFileSync(join(folder, 'rules.yaml'), 'utf8')).toBe(smallRules);
    expect((await topoBench(['init', '--force'], { cwd: folder })).code).toBe(0);
    expect(readFileSync(join(folder, 'rules.yaml'), 'utf8')).not.toBe(smallRules);
  });

  it('says when it may not write', async () => {
    const { code, stderr } = await topoBench(['init', '/proc/topo-bench']);
    expect(code).toBe(3);
    expect(stderr).toContain('TB_FILE_NOT_WRITABLE');
  });
});

describe('rules explain', () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder);
  writeFileSync(join(folder, 'r.json'), JSON.stringify({ origin: 'eu', categories: ['personal'] }));
  const explain = (...args: string[]) =>
    topoBench(['rules', 'explain', 'rules.yaml', '--request', 'r.json', '--topology', 'topology.yaml', ...args], {
      cwd: folder,
    });

  it('names the rule that decides', async () => {
    const { stdout } = await explain('--target', 'scoring');
    expect(stdout).toContain('scoring: deny by eu-data-stays\n');
  });

  it('says why a rule does not match', async () => {
    const { stdout } = await explain('--target', 'orders');
    expect(stdout).toContain('orders: allow by the default effect: no rule matches');
    expect(stdout).toContain('when.all[1]: target $.region notEqual "eu" fails: it is "eu"');
  });

  it('suggests a service for one that does not exist', async () => {
    const { code, stderr } = await explain('--target', 'order');
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "orders"?');
  });
});

describe('a decision table that does not hold', () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder, (name, text) =>
    name === 'rules.yaml' ? text.replace('{ effect: deny, rule: eu-data-stays }', '{ effect: allow }') : text,
  );

  it('fails with what was expected', async () => {
    const { code, stdout } = await topoBench(['rules', 'test', 'rules.yaml'], { cwd: folder });
    expect(code).toBe(1);
    expect(stdout).toContain('expected the effect allow, got deny');
    const help = await topoBench(['rules', 'test', '--help']);
    expect(help.stdout.replace(/\s+/g, ' ')).toContain('Exit code 1 when one fails.');
  });
});
