import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import {
  smallExperiment,
  smallRules,
  smallTopology,
  temporaryFolder,
  writeSmallFiles,
} from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const shipped = ['topologies', 'rules', 'experiments'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file)),
);

describe('shipped files', () => {
  it('are valid', async () => {
    const { code, stdout } = await callTopoBench(['validate', ...shipped, '--json']);
    const { problems } = JSON.parse(stdout) as { problems: { severity?: string }[] };
    expect(problems.filter(({ severity }) => severity !== 'warning')).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(shipped)('%s names its schema and opens with a sentence on its purpose', (file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    expect(lines[0]).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\/schema\/\w+\.schema\.json$/);
    expect(lines[1]).toMatch(/^# [A-Z]/);
  });

  it('decide as their examples expect', async () => {
    const rules = shipped.filter((path) => path.startsWith('rules'));
    expect(rules.length).toBeGreaterThan(0);
    for (const file of rules) {
      const { code, stdout } = await callTopoBench(['rules', 'test', file, '--json']);
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
    const { code, stdout } = await callTopoBench(['validate', path, '--json'], { cwd: folder });
    return {
      code,
      problems: (JSON.parse(stdout) as { problems: { code: string; line: number; column: number; hint?: string }[] })
        .problems,
    };
  };
  writeSmallFiles(folder);

  it.each([
    ['malformed YAML', 'a.yaml', `${smallTopology}nodes: [\n`, 'TB_FILE_SYNTAX', ''],
    ['a wrong type', 'b.yaml', smallTopology.replace('nodes: [{', 'nodes: [1, {'), 'TB_SCHEMA_INVALID', ''],
    ['an unknown key', 'c.yaml', `${smallTopology}servises: []\n`, 'TB_SCHEMA_UNKNOWN_KEY', 'did you mean "services"?'],
    [
      'a rule on an unknown fact',
      'd.yaml',
      smallRules.replace('fact: request', 'fact: reqest'),
      'TB_RULES_UNKNOWN_FACT',
      'facts: request, target, flow',
    ],
    ['a rate of 0', 'e.yaml', smallExperiment.replace('rate: 40', 'rate: 0'), 'TB_SCHEMA_INVALID', ''],
    ['a rate of 10^9', 'f.yaml', smallExperiment.replace('rate: 40', 'rate: 1000000000'), 'TB_SCHEMA_INVALID', ''],
    [
      'a topology that is missing',
      'g.yaml',
      smallExperiment.replace('topology.yaml', 'gone.yaml'),
      'TB_FILE_NOT_FOUND',
      '',
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
      '',
    ],
    [
      'a factor of services by the billion',
      'n.yaml',
      smallExperiment.replace('architecture: [central-entity, sidecar]', 'services: [1000000000]'),
      'TB_OVERRIDE_INVALID',
      '',
    ],
    ['no kind', 'h.yaml', 'name: x\n', 'TB_SCHEMA_INVALID', 'kinds: Topology, Rules, Experiment'],
    ['an empty file', 'i.yaml', '', 'TB_FILE_SYNTAX', ''],
  ])('finds %s', async (_, name, text, code, hint) => {
    const { code: exit, problems } = await problemsOf(name, text);
    expect(exit).toBe(2);
    expect(problems[0]).toMatchObject({ code, file: name, line: expect.any(Number), column: expect.any(Number) });
    expect(problems[0]?.hint ?? '').toContain(hint);
  });

  it('reports every problem of every file in one go', async () => {
    writeFileSync(
      join(folder, 'j.yaml'),
      smallTopology.replace('node: eu-1 }', 'node: eu-9 }').replace('16B', '16').replace('us-1, tags', 'us-7, tags'),
    );
    writeFileSync(join(folder, 'k.yaml'), smallRules.replace('effect: deny', 'effect: denied'));
    const { stdout } = await callTopoBench(['validate', 'j.yaml', 'k.yaml'], { cwd: folder });
    expect(stdout).toMatch(/j\.yaml:5:\d+: error TB_TOPOLOGY_UNKNOWN_NODE/);
    expect(stdout).toMatch(/j\.yaml:8:\d+: error TB_UNIT_INVALID/);
    expect(stdout).toMatch(/k\.yaml:6:\d+: error TB_SCHEMA_INVALID/);
    expect(stdout.match(/TB_TOPOLOGY_UNKNOWN_NODE/g)).toHaveLength(2);
  });
});

describe('init', () => {
  const folder = temporaryFolder();

  it('writes files that are valid, whose examples pass and that can be planned', async () => {
    const written = await callTopoBench(['init', 'study'], { cwd: folder });
    expect(written.code).toBe(0);
    const files = ['study/topology.yaml', 'study/rules.yaml', 'study/experiment.yaml'];
    const validated = await callTopoBench(['validate', ...files], { cwd: folder });
    expect(validated.stdout).toMatch(
      /^study\/experiment\.yaml: what it can show: with 7 repetitions.*\n3 files checked: 0 errors\n$/,
    );
    expect((await callTopoBench(['rules', 'test', 'study/rules.yaml'], { cwd: folder })).code).toBe(0);
    const planned = await callTopoBench(['run', 'study/experiment.yaml', '--dry-run', '--no-probe', '--json'], {
      cwd: folder,
    });
    expect(JSON.parse(planned.stdout).cells).toHaveLength(4);
  });

  it('has a schema line for editors in every file, which leads to the schema of its kind', () => {
    for (const kind of ['topology', 'rules', 'experiment']) {
      const [line] = readFileSync(join(folder, `study/${kind}.yaml`), 'utf8').split('\n');
      const [, path] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line as string) ?? [];
      const schema = JSON.parse(readFileSync(join(folder, 'study', path as string), 'utf8'));
      expect(schema.$id ?? schema.title).toMatch(new RegExp(kind, 'i'));
    }
  });

  it('keeps the package.json of a project, and prints steps that do without its scripts', async () => {
    const own = '{ "name": "own" }';
    const project = join(folder, 'existing');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), own);
    const { code, stdout } = await callTopoBench(['init', '.', '--force'], { cwd: project });
    expect(code).toBe(0);
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toBe(own);
    expect(stdout).toContain('kept package.json\n');
    expect(stdout.split('next:\n')[1]).toBe(
      '  npx topo-bench validate topology.yaml rules.yaml experiment.yaml && npx topo-bench rules test rules.yaml\n' +
        '  npx topo-bench run experiment.yaml\n' +
        'questions, each answered in less than five minutes:\n' +
        '  npx topo-bench run rate-knee    # at what rate is a central entity the bottleneck?\n' +
        '  npx topo-bench run rules-cost   # what do five more rules per service cost?\n' +
        '  npx topo-bench run region-delay # what do regions 40 ms apart cost?\n' +
        '  npx topo-bench run router-count # one, two or three routers?\n' +
        '  npx topo-bench run replicas     # does a second central entity help at 12 services?\n',
    );
  });

  it('overwrites nothing unless forced', async () => {
    writeSmallFiles(folder);
    const refused = await callTopoBench(['init'], { cwd: folder });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'TB_FILE_EXISTS: init does not overwrite files: got topology.yaml, rules.yaml, experiment.yaml',
    );
    expect(readFileSync(join(folder, 'rules.yaml'), 'utf8')).toBe(smallRules);
    expect((await callTopoBench(['init', '--force'], { cwd: folder })).code).toBe(0);
    expect(readFileSync(join(folder, 'rules.yaml'), 'utf8')).not.toBe(smallRules);
  });

  it('reports that it may not write', async () => {
    const { code, stderr } = await callTopoBench(['init', '/proc/topo-bench']);
    expect(code).toBe(3);
    expect(stderr).toContain('TB_FILE_NOT_WRITABLE');
  });
});

describe('rules explain', () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder);
  writeFileSync(join(folder, 'r.json'), JSON.stringify({ origin: 'eu', categories: ['personal'] }));
  const explain = (...args: string[]) =>
    callTopoBench(['rules', 'explain', 'rules.yaml', '--request', 'r.json', '--topology', 'topology.yaml', ...args], {
      cwd: folder,
    });

  it('names the rule that decides', async () => {
    const { stdout } = await explain('--target', 'scoring');
    expect(stdout).toContain('scoring: deny by eu-data-stays\n');
  });

  it('gives the reason why a rule does not match', async () => {
    const { stdout } = await explain('--target', 'orders');
    expect(stdout).toContain('orders: allow by the default effect: no rule matches');
    expect(stdout).toContain('when.all[1]: target $.region notEqual "eu" fails: it is "eu"');
  });

  it('shows the rules that a service generates', async () => {
    const topology = readFileSync(join(folder, 'topology.yaml'), 'utf8');
    writeFileSync(
      join(folder, 'generating.yaml'),
      topology.replace('defaults: {', 'defaults: { rules: { generate: 2 },'),
    );
    const { code, stdout, stderr } = await explain('--target', 'orders', '--topology', 'generating.yaml');
    expect(code, stderr).toBe(0);
    expect(stdout.match(/^[✓✗] generated-\d+@orders /gm)).toHaveLength(2);
  });

  it('suggests a service for one that does not exist', async () => {
    const { code, stderr } = await explain('--target', 'order');
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "orders"?');
  });
});

describe('rules diff and check', () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder);
  writeFileSync(
    join(folder, 'v2.yaml'),
    smallRules
      .replace('value: eu }\n        - { fact: target', 'value: us }\n        - { fact: target')
      .replace('notEqual', 'equal'),
  );
  const call = (...args: string[]) => callTopoBench(['rules', ...args, '--topology', 'topology.yaml'], { cwd: folder });

  it('diff lists the requests of the topology whose decision changes, with the deciding rules', async () => {
    const { code, stdout } = await call('diff', 'rules.yaml', 'v2.yaml');
    expect([code, stdout]).toEqual([
      1,
      'plain → orders: allow by the default effect becomes deny by eu-data-stays\n' +
        '    100% of the class, e.g. origin us, consents none\n' +
        'private → scoring: deny by eu-data-stays becomes allow by the default effect\n' +
        '    100% of the class, e.g. origin eu, consents none\n' +
        'rules.yaml → v2.yaml: 2 decisions change among 2 kinds of requests in 2 classes\n',
    ]);
    const { changes } = JSON.parse((await call('diff', 'rules.yaml', 'v2.yaml', '--json')).stdout);
    expect(changes[0]).toMatchObject({ class: 'plain', service: 'orders', share: 1, example: { origin: 'us' } });
    const same = await call('diff', 'rules.yaml', 'rules.yaml');
    expect([same.code, same.stdout]).toEqual([
      0,
      'rules.yaml → rules.yaml: no decision changes among 2 kinds of requests in 2 classes\n',
    ]);
  });

  it('check proves that all splits decide alike', async () => {
    const { code, stdout } = await call('check', 'rules.yaml');
    expect([code, stdout]).toEqual([
      0,
      '✓ rules.yaml: all splits decide every request alike (1 rules, 2 services, 4 splits, 1 pairs of rule and service never match)\n',
    ]);
    const { splits, differences } = JSON.parse((await call('check', 'rules.yaml', '--json')).stdout);
    expect(splits).toEqual(['central-entity', 'dynamic-router, k = 1', 'dynamic-router, k = 2', 'sidecar']);
    expect(differences).toEqual([]);
  });

  it('both refuse rules that do not validate', async () => {
    writeFileSync(join(folder, 'bad.yaml'), smallRules.replace('effect: deny\n', 'effect: denied\n'));
    for (const args of [
      ['check', 'bad.yaml'],
      ['diff', 'rules.yaml', 'bad.yaml'],
    ]) {
      const { code, stderr } = await call(...args);
      expect(code).toBe(2);
      expect(stderr).toContain('bad.yaml:');
    }
  });
});

describe('a decision table that fails', () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder, (name, text) =>
    name === 'rules.yaml' ? text.replace('{ effect: deny, rule: eu-data-stays }', '{ effect: allow }') : text,
  );

  it('fails with what was expected', async () => {
    const { code, stdout } = await callTopoBench(['rules', 'test', 'rules.yaml'], { cwd: folder });
    expect(code).toBe(1);
    expect(stdout).toContain('expected the effect allow, got deny');
    const help = await callTopoBench(['rules', 'test', '--help']);
    expect(help.stdout.replace(/\s+/g, ' ')).toContain('Exit code 1 when one fails.');
  });
});
