/** Error messages as a user reads them: each names the offender, and has a remedy. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { smallExperiment, temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const folder = temporaryFolder();
writeSmallFiles(folder);
const messageOf = async (...args: string[]): Promise<{ code: number | null; text: string }> => {
  const { code, stdout, stderr } = await callTopoBench(args, { cwd: folder });
  return { code, text: stdout + stderr };
};

describe('a file of another kind is one problem', () => {
  for (const file of ['package.json', 'README.md']) copyFileSync(join(root, file), join(folder, file));
  writeFileSync(join(folder, 'pod.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: { name: x }\nspec: {}\n');
  const record = { schemaVersion: 1, name: 'small', status: 'finished', topology: {}, inputs: {}, plannedCells: [] };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(record));
  const explained = (file: string): string[] => [
    ...['rules', 'explain', 'rules.yaml', '--target', 'orders'],
    ...['--request', file],
  ];

  it.each([
    [
      ['run', 'topology.yaml', '--dry-run'],
      'the file is of kind Topology, expected Experiment',
      'an experiment names one',
    ],
    [
      ['up', 'experiment.yaml'],
      'the file is of kind Experiment, expected Topology',
      '`topo-bench run` takes an experiment',
    ],
    [
      ['rules', 'test', 'topology.yaml'],
      'the file is of kind Topology, expected Rules',
      '`topo-bench up` starts a topology',
    ],
    [['run', 'rules.yaml', '--dry-run'], 'the file is of kind Rules, expected Experiment', 'a topology names them'],
    [['run', 'pod.yaml', '--dry-run'], 'the file is of kind Pod, expected Experiment', '`topo-bench run` takes an exp'],
    [
      ['up', 'package.json'],
      'the file has neither "apiVersion" nor "kind", expected kind Topology',
      '`kind: Topology`',
    ],
    [['run', 'package.json'], 'the file has neither "apiVersion" nor "kind", expected kind Exp', '`kind: Experiment`'],
    [['rules', 'test', 'package.json'], 'neither "apiVersion" nor "kind", expected kind Rules', '`kind: Rules`'],
    [['run', 'run.json'], 'the file is the record of a run, expected kind Experiment', 'run --resume FOLDER'],
    [['run', 'README.md'], 'TB_FILE_SYNTAX', 'name a YAML or JSON file'],
    [explained('rules.yaml'), 'the file is of kind Rules, expected a request', 'origin, '],
    [explained('package.json'), 'the file has no field of a request', 'origin, '],
    [explained('README.md'), 'TB_FILE_SYNTAX', 'name a YAML or JSON file'],
  ])('%j', async (args, message, hint) => {
    const { code, text } = await messageOf(...args);
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text).toContain(hint);
    expect(text).toContain('cannot be used: one problem');
    expect(text).not.toContain('unknown key');
  });
});

describe('a file that cannot be read', () => {
  mkdirSync(join(folder, 'a-folder'));
  writeFileSync(
    join(folder, 'two-faults.yaml'),
    'apiVersion: topo-bench/v1\nkind: Rules\nname: two\nrule: []\nruls: []\n',
  );

  it.each([
    [['validate', 'missing.yaml'], 'cannot read missing.yaml: there is no such file or folder'],
    [['validate', 'a-folder'], 'cannot read a-folder: it is a folder, a file is needed'],
    [['validate', 'a-folder'], 'it has no YAML or JSON file'],
    [['validate', '.'], 'name the files in it: experiment.yaml, '],
    [['validate', 'missing.yaml', 'two-faults.yaml', 'experiment.yaml'], '3 files checked: 4 errors'],
    [['validate', 'missing.yaml', 'two-faults.yaml'], 'missing.yaml:1:1: error TB_FILE_NOT_FOUND: cannot read missing'],
    [['validate', 'missing.yaml', 'two-faults.yaml'], 'two-faults.yaml:4:1: error TB_SCHEMA_UNKNOWN_KEY'],
    [['run', 'a-folder', '--dry-run'], 'cannot read a-folder: it is a folder, a file is needed'],
    [['run', 'quikstart'], 'did you mean "quickstart"?'],
    [['run', 'nothing-like-it'], 'shipped: crash-small, crash-study, data-access-deployment, '],
    [['run', '.', '--dry-run'], 'name the file in it: experiment.yaml'],
    [['up', '.'], 'name the file in it: topology.yaml'],
    [['rules', 'test', '.'], 'name the file in it: rules.yaml'],
    [['report', 'missing'], 'there is no such file or folder'],
    [['compare', 'missing', 'missing'], 'there is no such file or folder'],
  ])('%j', async (args, message) => {
    const { code, text } = await messageOf(...args);
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text).not.toMatch(/ENOENT|EISDIR|syscall|stat '/);
  });
});

it.each(['missing.csv', '.'])(
  'published figures that cannot be read (%s) end a run before it measures',
  async (file) => {
    const { code, text } = await messageOf('run', 'experiment.yaml', '--published', file, '--out', 'not-measured');
    expect(code).toBe(2);
    expect(text).toMatch(/--published: cannot read \S+: (there is no such file|it is a folder)/);
    expect(text).not.toMatch(/ENOENT|EISDIR/);
    expect(existsSync(join(folder, 'not-measured'))).toBe(false);
  },
);

describe('published figures that a report could not show', () => {
  const publishedOf = (study: string): string => join(root, 'experiments', 'published', `${study}-study.csv`);

  it.each([
    ['quickstart', 'flight', 'median_rtt_ms'],
    ['persistence-small', 'routing', 'configuration, workload'],
    ['flight-small', 'persistence', 'operation, streams'],
    ['stream-small', 'routing', 'store, workload'],
  ])('end a run of %s before it measures, for the file of a %s study', async (experiment, other, columns) => {
    const file = publishedOf(other);
    const { code, text } = await messageOf('run', experiment, '--published', file, '--out', 'not-measured');
    expect(text).toContain(`error TB_PUBLISHED_INVALID: ${file}:1:1: ${file} has no column ${columns}`);
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'not-measured'))).toBe(false);
  });

  it.each([
    ['quickstart', 'architecture,median_rtt_ms\nnone,5\nsidecar,fast\n', '"fast"'],
    ['stream-small', 'store,workload,windowing,throughput_tuples_per_s\nredis,1,no,5\nredis,1,yes,many\n', '"many"'],
    ['flight-small', 'operation,streams,megabytes_per_second,setting\nget,1,5,x\nget,two,5,x\n', '"two"'],
    [
      'persistence-small',
      'configuration,workload,p95_ms,throughput_rps,cpu_percent,ram_mb\na,b,1,2,3,\na,b,1,2,high,4\n',
      '"high"',
    ],
  ])('end a run of %s before it measures, at the line of a text in place of a number', async (experiment, csv, got) => {
    writeFileSync(join(folder, 'own.csv'), csv);
    const { code, text } = await messageOf('run', experiment, '--published', 'own.csv', '--out', 'not-measured');
    expect(text).toContain('error TB_PUBLISHED_INVALID: own.csv:3:1: ');
    expect(text).toContain(got);
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'not-measured'))).toBe(false);
  });

  it('are named where a kind of study has none', async () => {
    const args = ['data-access-small', '--dry-run', '--published', publishedOf('routing')];
    const { code, text } = await messageOf('run', ...args);
    expect(text).toContain('warning: --published shows nothing: reports of access studies have no published figures');
    expect(code).toBe(0);
  });
});

it.each(['127.0.0.1', 'localhost'])('a load on a port of %s without a server names the server', async (host) => {
  const { code, text } = await messageOf('load', `${host}:1`, '--rate', '10', '--duration', '100ms');
  expect(code).toBe(3);
  expect(text).toContain(`cannot connect to http://${host}:1: nothing listens there`);
  expect(text).not.toMatch(/Error:|ECONNREFUSED/);
});

it.each([
  [
    'two equal levels, at the second one',
    'rate: [50, 80, 50]',
    '27: error TB_EXPERIMENT_DUPLICATE_LEVEL: factors.rate: 50 is level 1 already',
  ],
  [
    'two names for the same field, at the second one',
    'rate: [50, 80], load.rate: [50, 90]',
    '39: error TB_EXPERIMENT_DUPLICATE_FACTOR: factors: load.rate and rate set the same field',
  ],
])('factors with %s are refused', async (_what, factors, message) => {
  writeFileSync(join(folder, 'twice.yaml'), smallExperiment.replace(/factors:\n( .*\n)+/, `factors: { ${factors} }\n`));
  const { code, text } = await messageOf('validate', 'twice.yaml');
  expect(code).toBe(2);
  expect(text).toContain(`twice.yaml:5:${message}`);
});

describe('a wrong value in `set` of an experiment is reported at its own line', () => {
  const inExperiment = (set: string) => smallExperiment.replace(/^factors:/m, `${set}\nfactors:`);

  it.each([
    [
      'a value',
      'set:\n  deadlines.request: 20s\n  deadlines.hop: soon',
      ':7:18: error TB_UNIT_INVALID: deadlines.hop:',
    ],
    ['a value in a map', 'set:\n  deadlines:\n    request: 20s\n    hop: soon', ':8:10: error TB_UNIT_INVALID:'],
    ['a key in a map', 'set:\n  deadlines: { hop: 2s, hopp: 1s }', ':6:25: error TB_SCHEMA_UNKNOWN_KEY:'],
    ['a name that the topology lacks', 'set:\n  gateway.node: mars', ':6:17: error TB_TOPOLOGY_'],
    ['an unknown field', 'set:\n  deadlines.hop: 2s\n  deadlines.hopp: 1s', ':7:3: error TB_OVERRIDE_UNKNOWN_FIELD:'],
  ])('%s', async (_what, set, message) => {
    writeFileSync(join(folder, 'set.yaml'), inExperiment(set));
    for (const args of [
      ['validate', 'set.yaml'],
      ['run', 'set.yaml', '--dry-run', '--no-probe'],
    ]) {
      const { code, text } = await messageOf(...args);
      expect(code).toBe(2);
      expect(text).toContain(`set.yaml${message}`);
      expect(text).not.toContain('topology.yaml:');
    }
  });

  it('in a copy of a shipped experiment over its shipped topology, with every other unknown field', async () => {
    const shipped = readFileSync(join(root, 'experiments/routing-small.yaml'), 'utf8');
    const text = shipped
      .replace(/^topology: \.\./m, `topology: ${root}`)
      .replace(/^set: .*/m, 'set:\n  enforcement: { engine: compield }\n  deadline: 5s\n  nodez: []');
    writeFileSync(join(folder, 'copy.yaml'), text);
    const first = text.split('\n').indexOf('set:') + 2;
    const { code, text: printed } = await messageOf('validate', 'copy.yaml');
    expect(code).toBe(2);
    expect(printed).toContain(`copy.yaml:${first}:26: error TB_SCHEMA_INVALID: enforcement.engine:`);
    expect(printed).toContain(`copy.yaml:${first + 1}:3: error TB_OVERRIDE_UNKNOWN_FIELD:`);
    expect(printed).toContain(`copy.yaml:${first + 2}:3: error TB_OVERRIDE_UNKNOWN_FIELD:`);
    expect(printed).toContain('1 file checked: 3 errors');
  });

  it('while a fault of the topology itself stays at its line', async () => {
    const faulty = readFileSync(join(folder, 'topology.yaml'), 'utf8').replace(/^nodes:/m, 'gatewai: 1\nnodes:');
    writeFileSync(join(folder, 'faulty.yaml'), faulty);
    const both = inExperiment('set: { deadlines.hop: soon }').replace('topology.yaml', 'faulty.yaml');
    writeFileSync(join(folder, 'set.yaml'), both);
    const { text } = await messageOf('validate', 'set.yaml');
    expect(text).toMatch(/faulty\.yaml:\d+:1: error TB_SCHEMA_UNKNOWN_KEY: unknown key "gatewai"/);
    expect(text).toContain('set.yaml:5:23: error TB_UNIT_INVALID: deadlines.hop:');
  });
});

describe('a choice of the command line', () => {
  it.each([
    [['--set', 'rate=abc'], 'the choice rate=abc: load.rate: expected a number, received "abc"'],
    [['--set', 'duration=5'], 'the choice duration=5: duration:'],
    [['--set', 'deploy=never'], 'the choice deploy=never: deploy:'],
    [['--set', 'defaults.work=banana'], 'the choice defaults.work=banana: defaults.work:'],
    [['--set', 'topology.deadlines.hop=soon'], 'the choice topology.deadlines.hop=soon: deadlines.hop:'],
    [['--set', 'services[0].node=eu-9'], 'the choice services[0].node=eu-9: '],
    [['--set', 'architecture=foo'], 'the choice architecture=foo: no architecture is named "foo"'],
    [['--set', 'topology=nope.yaml'], 'the choice topology=nope.yaml: cannot read nope.yaml: there is no such file'],
    [['--set', 'rules=nope.yaml'], 'the choice rules=nope.yaml: cannot read nope.yaml: there is no such file'],
    [['--set', 'rate=40', '--set', 'work=5', '--set', 'seed=7'], 'the choice work=5: defaults.work: '],
  ])('%j is named in place of a line of the file', async (choice, message) => {
    const { code, text } = await messageOf('run', 'experiment.yaml', '--dry-run', '--no-probe', ...choice);
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text).not.toMatch(/\.yaml:\d/);
  });
});

describe('a choice for a shipped file that the user never touched', () => {
  it.each([
    ['run quickstart --set architecture=foo', 'the choice architecture=foo: no architecture is named "foo"'],
    [
      'run quickstart --set deploy=interleaved --set load.driver=autocannon',
      'the choice load.driver=autocannon: `depl',
    ],
    ['run persistence-small --set store=foo', 'the choice store=foo: services[0].persistence.store: expected'],
    ['run persistence-small --set deploy=interleaved', 'the choice deploy=interleaved: `deploy: interleaved` cannot'],
    ['run flight-small --set streams=0', 'the choice streams=0: flight.streams: expected at least 1, received 0'],
    ['run quickstart --set topology=nope.yaml', 'the choice topology=nope.yaml: cannot read'],
    ['up quickstart --set gateway.node=zz', 'the choice gateway.node=zz: '],
    ['up quickstart --set work=zz', 'the choice work=zz: defaults.work: '],
    ['up quickstart --set rules=nope.yaml', 'the choice rules=nope.yaml: cannot read'],
    ['generate quickstart --target compose --out generated --set gateway.node=zz', 'the choice gateway.node=zz: '],
    [
      'gate --experiment quickstart --candidate-set architecture=foo --threshold rtt.median<+10%',
      'the choice architecture=foo: no architecture is named "foo"',
    ],
  ])('is named: %s', async (words, message) => {
    const more = words.startsWith('run') ? ['--dry-run', '--no-probe'] : [];
    const { code, text } = await messageOf(...words.split(' '), ...more);
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text).not.toMatch(/\.yaml:\d|which \S+ names/);
  });

  it.each([
    ['run quickstart --set rat=5', 'neither experiment nor topology has a field "rat"', 'did you mean "rate"?'],
    ['run quickstart --set topology.servces=5', 'a topology has no field "servces"', 'mean "services"?'],
    ['up quickstart --set wrk=5ms', 'a topology has no field "wrk"', 'did you mean "work"?'],
    ['up quickstart --set rate=5', 'rate is a field of experiments, and no field of the topology', '--set rate=…'],
    ['up quickstart --set duration=5s', 'duration is a field of experiments, and no field of', '--set duration=…'],
  ])('has a field that exists: %s', async (words, message, hint) => {
    const { code, text } = await messageOf(...words.split(' '));
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text).toContain(hint);
  });
});

describe('a search for the max rate is refused by the name of its flag', () => {
  it.each([
    ['persistence-small', '--find-max needs the open driver and services without stores: it cannot measure services'],
    ['flight-small', '--find-max needs the open driver and services without stores: it '],
    ['data-access-small', '--find-max needs the open driver and services without stores: it '],
  ])('for %s', async (experiment, message) => {
    const { code, text } = await messageOf('run', experiment, '--find-max', 'p95<50ms', '--dry-run', '--no-probe');
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text).not.toMatch(/\.yaml:\d|interleaved` /);
  });

  it.each([
    ['p95<50', '--find-max "p95<50": "50" is not a duration'],
    ['p59<50ms', '--find-max "p59<50ms": expected a condition such as p95<50ms'],
  ])('for the condition %s', async (condition, message) => {
    for (const args of [
      ['run', 'experiment.yaml'],
      ['load', '127.0.0.1:1'],
    ]) {
      const { code, text } = await messageOf(...args, '--find-max', condition);
      expect(code).toBe(2);
      expect(text).toContain(message);
    }
  });
});

it.each([
  [['rules', 'test'], 'see topo-bench rules test --help'],
  [['rules', 'explain', 'rules.yaml'], 'see topo-bench rules explain --help'],
  [['rules', 'tets'], 'see topo-bench rules --help'],
])('%j refers to the help of what was called', async (args, hint) => {
  const { code, text } = await messageOf(...args);
  expect(code).toBe(2);
  expect(text).toMatch(new RegExp(`${hint}$`, 'm'));
});

it.each(['80000', '65536', '-1', 'http', ''])('--port %s is refused before anything starts', async (port) => {
  const { code, text } = await messageOf('up', 'topology.yaml', `--port=${port}`);
  expect(code).toBe(2);
  expect(text).toContain('Expected a whole number from 0 to 65535.');
});

it('rules explain states what it assumes without a topology', async () => {
  writeFileSync(join(folder, 'request.json'), JSON.stringify({ origin: 'eu', categories: ['personal'] }));
  const alone = await messageOf('rules', 'explain', 'rules.yaml', '--request', 'request.json', '--target', 'orders');
  expect(alone.text).toContain('assumed without --topology: node node-1, region eu, no tags');
  const placed = ['--topology', 'topology.yaml'];
  const told = await messageOf(
    'rules',
    'explain',
    'rules.yaml',
    '--request',
    'request.json',
    '--target',
    'orders',
    ...placed,
  );
  expect(told.text).not.toContain('assumed');
});

it('help VERB is VERB --help', async () => {
  expect(await messageOf('help', 'rules')).toEqual(await messageOf('rules', '--help'));
  const part = await messageOf('help', 'rules', 'test');
  expect(part).toEqual(await messageOf('rules', 'test', '--help'));
  expect(part.text).toContain('Usage: topo-bench rules test');
  expect((await messageOf('help', 'rules', 'tets')).text).toContain("unknown command 'tets'");
  expect(await messageOf('help')).toEqual(await messageOf('--help'));
  const unknown = await messageOf('help', 'rnu');
  expect(unknown.code).toBe(2);
  expect(unknown.text).toContain("unknown command 'rnu'");
});
