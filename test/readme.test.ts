/** The README is what new users see first: its commands, files, sample and output are held against the tool itself. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { asOnQuietMachine, endedByHostAlone, measuredRun } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { root, startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language,
  text: text as string,
}));
const block = (language: string, holding = '') =>
  blocks.find((one) => one.language === language && one.text.includes(holding))?.text as string;
const quickstart = block('console');
const questions = readFileSync(join(root, 'docs/questions.md'), 'utf8').replace(/^.*(?=## Further commands)/s, '');
/** Arguments of every call of the tool, in code blocks and in running text, here and on the page of questions. */
const calls = [...`${readme}\n${questions}`.matchAll(/topo-bench (?=[a-z])([^`#\n]*)/g)]
  .map(([, args]) => (args as string).trim())
  .filter((args) =>
    /^(run|compare|gate|rules|up|load|validate|init|doctor|report|down|generate|completion|simulate|calibrate|decide|confirm|workshop)\b/.test(
      args,
    ),
  );

/** Calls that are run here, by their beginning. Experiments that take minutes are `planned` alone. */
const runHere = [
  'run EXPERIMENT',
  'compare RUN',
  'compare A B',
  'gate --baseline',
  'gate --experiment',
  'gate --self-test',
  'report runs',
  'report RUN',
  'rules explain',
  'rules test',
  'up TOPOLOGY',
  'generate TOPOLOGY',
  'load URL',
  'run --resume',
  'down --all',
  'init my-study',
  'doctor',
  'validate',
] as const;

/** Calls of which this file runs less than the whole, with the reason and the test that measures. */
const planned: Record<string, string> = {
  'run experiments/': 'measures for one to thirty minutes; planned here. cli-run, cli-run-store, cli-run-flight',
  'up topologies/': 'prints lines for curl. cli-curl-lines',
  'run rate-knee': 'measures for minutes; planned here. cli-find-max.long searches with a small experiment',
  'run persistence-small':
    'measures for minutes, on a server of the user; planned here. cli-run-store, cli-own-store-server.long',
  'run flight-': 'moves gigabytes; planned here. cli-run-flight',
  'run data-access-': 'reads a million rows; planned here. cli-run-access',
  'run stream-': 'measures for minutes on several servers; planned here. cli-run-stream',
  'run crash-small': 'measures for minutes; planned here. cli-run-events breaks roles in a small experiment',
  'run takeover': 'measures for minutes; planned here. takeover-agrees-with-oracle sends requests past dead points',
  'run rule-change': 'measures for minutes; planned here. cli-run-rules changes rules in a small experiment',
  'rules diff': 'needs two rule files. cli-files',
  'rules check': 'names a rule file and a topology. cli-files',
  'run runner-overhead': 'needs a container engine and a cluster; planned here. cli-run-two-runners.long',
  calibrate: 'measures for ten minutes on a quiet machine. packages/cli/test/commands/calibrate/calibrate.long',
  'simulate EXPERIMENT': 'needs a calibration. packages/cli/test/commands/simulate/cluster',
  'decide RUN': 'needs a run whose comparison decides. cli-decide.long',
  'confirm record': 'needs a decision. cli-decide.long',
  workshop: 'serves a page until it is interrupted. packages/workshop/test/server',
  'run EXPERIMENT --runner docker': 'needs a container engine. cli-run-docker, cli-run-kubernetes',
};

/** Arguments of the README's call that begins so, with values for its placeholders. */
function callOf(beginning: (typeof runHere)[number], values: Record<string, string> = {}): string[] {
  const call = calls.find((args) => args.startsWith(beginning));
  expect(call, `a call of ${beginning} in the README`).toBeDefined();
  const words = [...(call as string).matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const unknown = words.filter((word) => /^[A-Z]+$/.test(word) && !(word in values));
  expect(unknown).toEqual([]);
  return words.map((word) => values[word] ?? word);
}

describe('the README', () => {
  it('names files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^):]+)\)/g)].map(([, path]) => path as string);
    const shipped = [...readme.matchAll(/\b(?:experiments|topologies)\/[\w/-]+\.yaml/g)].map(([path]) => path);
    expect(links.length).toBeGreaterThan(4);
    expect([...links, ...shipped].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts);
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
    expect(named.filter((script) => !scripts.includes(script as string))).toEqual([]);
  });

  it('has no command that is neither run here nor named with the reason and another test', () => {
    const known = [...runHere, ...Object.keys(planned)];
    expect(calls.filter((call) => !known.some((beginning) => call.startsWith(beginning)))).toEqual([]);
    expect(known.filter((beginning) => !calls.some((call) => call.startsWith(beginning)))).toEqual([]);
    const tests = Object.values(planned).flatMap((reason) => reason.match(/\b(?:cli-|packages\/)[\w./-]*\w/g) ?? []);
    expect(tests.length).toBeGreaterThanOrEqual(Object.keys(planned).length);
    const files = tests.map((name) => (name.includes('/') ? `${name}.test.ts` : `test/${name}.test.ts`));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each([...new Set(calls)])('calls the tool with its own flags: %s', async (call) => {
    const verb = call.split(' ').slice(0, call.startsWith('rules') ? 2 : 1);
    const { code, stdout } = await callTopoBench([...verb, '--help']);
    expect(code).toBe(0);
    for (const [flag] of call.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(flag);
  });

  it('has a sh block whose files can be validated, planned and made', async () => {
    const commands = block('sh', 'npx topo-bench')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim());
    const argsOf = (verb: string): string[] =>
      (commands.find((command) => command.startsWith(`npx topo-bench ${verb}`)) ?? '').split(/\s+/).slice(2);
    const files = commands.flatMap((command) => /experiments\/\S+\.yaml/.exec(command) ?? []);
    expect(new Set(files).size).toBeGreaterThanOrEqual(4);
    const validated = await callTopoBench(['validate', ...new Set(files)]);
    expect([validated.code, validated.stderr]).toEqual([0, '']);
    for (const file of new Set(files)) {
      const { code, stdout, stderr } = await callTopoBench(['run', file, '--dry-run', '--no-probe']);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/\d+ cells? × \d+ repetitions?/);
    }
    const folder = temporaryFolder();
    const init = await callTopoBench(argsOf('init'), { cwd: folder });
    expect(init.code, init.stderr).toBe(0);
    expect(existsSync(join(folder, argsOf('init')[1] as string, 'experiment.yaml'))).toBe(true);
    const doctor = await callTopoBench(argsOf('doctor'));
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringMatching(/cores +\d+:/)]);
  });

  it('shows a topology that is valid with the rule set it names', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'topology.yaml'), block('yaml'));
    copyFileSync(join(root, 'rules/gdpr.yaml'), join(folder, 'rules.yaml'));
    const { code, stderr } = await callTopoBench(['validate', 'topology.yaml'], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('shows what npm start prints, figures aside', async () => {
    const out = join(temporaryFolder(), 'run');
    const short = [
      '--repetitions',
      '1',
      '--set',
      'duration=1s',
      '--set',
      'warmup.max=1s',
      '--set',
      'warmup.requests=20',
      '--set',
      'validity.smallestDifference=100%',
      '--set',
      'validity.remeasure=0%',
    ];
    const { code, stdout, stderr } = await topoBench(['run', 'quickstart', '--out', out, ...short]);
    const { cells } = await openRun(out);
    endedByHostAlone({ code, stderr }, cells);
    // An architecture without a valid repetition has no figures to show.
    const isComplete = cells.every(({ validity }) => validity.valid);
    // Sentences and box plots depend on the figures; with one repetition nothing is shown, so only their form is
    // compared.
    const form = (line: string) =>
      line
        .replace(/[\d.,]+/g, '0')
        .replace(/runs\/\S+|\/\S+/, 'FOLDER')
        .replace(/\s+/g, ' ')
        .trim();
    const forms = [stdout, stderr].flatMap((text) => text.split('\n')).map(form);
    const shown = quickstart
      .split('\n')
      .filter((line) => /repetitions to measure|decisions were wrong|^report:/.test(line));
    expect(shown).toHaveLength(3);
    expect(forms).toEqual(
      expect.arrayContaining(
        shown
          .filter((line) => isComplete || !line.includes('decisions'))
          .map(form)
          .map((line) => expect.stringContaining(line.split(',')[0] as string)),
      ),
    );
    const rows = (text: string) => text.split('\n').flatMap((line) => /^([\w-]+) .*[├┃┤]/.exec(line)?.[1] ?? []);
    expect(rows(quickstart)).toEqual(['none', 'central-entity', 'dynamic-router-3', 'sidecar']);
    expect(rows(quickstart)).toEqual(expect.arrayContaining(rows(stdout)));
    if (isComplete) expect(rows(stdout)).toHaveLength(4);
    expect(quickstart.trim().split('\n').length).toBeLessThanOrEqual(20);
    const progress =
      /^\[ ?\d+\/\d+\] [\w-]+ · 6 services · 50 req\/s #\d: RTT median [\d.]+ m?s, p95 [\d.]+ m?s · [\d.]+ req\/s · 0 wrong/;
    expect(stderr.split('\n').filter((line) => progress.test(line))).toHaveLength(4);
  });

  it('shows the estimated time of npm start, which is at most 90 seconds', async () => {
    const { code, stdout, stderr } = await callTopoBench(['run', 'quickstart', '--dry-run', '--no-probe', '--json']);
    expect(code, stderr).toBe(0);
    const { estimatedSeconds, cells, repetitions } = JSON.parse(stdout);
    expect(estimatedSeconds).toBeLessThanOrEqual(90);
    const [, count, seconds] = /^(\d+) repetitions to measure, about (\d+) s/m.exec(quickstart) ?? [];
    expect(Number(count)).toBe(cells.length * repetitions);
    expect(Math.abs(Number(seconds) - estimatedSeconds)).toBeLessThanOrEqual(3);
  });

  it('has commands about rules that answer', async () => {
    const folder = temporaryFolder();
    copyFileSync(join(root, 'rules/gdpr.yaml'), join(folder, 'gdpr.yaml'));
    const tested = await callTopoBench(callOf('rules test', { RULES: 'gdpr.yaml' }), { cwd: folder });
    expect([tested.code, tested.stderr]).toEqual([0, '']);
    expect(tested.stdout).toMatch(/gdpr\.yaml: (\d+) of \1 examples hold/);
    // A card that crosses the border: the certified processor gets the data instead.
    const request = { origin: 'us', categories: ['payment'], payload: { card: '4111' } };
    writeFileSync(join(folder, 'r.json'), JSON.stringify(request));
    const explain = callOf('rules explain', { RULES: 'gdpr.yaml', SERVICE: 'warehouse' });
    const explained = await callTopoBench(explain, { cwd: folder });
    expect(explained.code, explained.stderr).toBe(0);
    expect(explained.stdout).toContain('warehouse: redact by card-for-payments-only');
    expect(explained.stdout).toContain('eu-data-stays (deny): does not match');
  });

  it('compares and gates runs with commands that answer', async () => {
    const folder = temporaryFolder();
    writeSmallFiles(folder);
    const [A, B] = ['of-1', 'of-2'];
    const args = [...callOf('run EXPERIMENT', { EXPERIMENT: 'experiment.yaml' }), '--out', A, '--json'];
    await measuredRun(topoBench(args, { cwd: folder }));
    asOnQuietMachine(join(folder, A, 'cells.json'));
    cpSync(join(folder, A), join(folder, B), { recursive: true });
    const within = await callTopoBench(callOf('compare RUN', { RUN: A }), { cwd: folder });
    expect([within.code, within.stdout]).toEqual([
      0,
      expect.stringMatching(/^architecture against \S+ in \S+: rtt\.median/),
    ]);
    const between = await callTopoBench(callOf('compare A B', { A, B }), { cwd: folder });
    expect([between.code, between.stdout]).toEqual([0, expect.stringMatching(/central-entity .*\n.*sidecar /)]);
    // One repetition of two cells a side rejects nothing, whatever it measures.
    const gate = await callTopoBench(callOf('gate --baseline', { A, B }), { cwd: folder });
    expect([gate.code, gate.stdout]).toEqual([5, expect.stringContaining('The gate cannot tell.')]);
    const list = await callTopoBench(callOf('report runs', { runs: '.' }), { cwd: folder });
    expect(list.code, list.stderr).toBe(0);
    const page = readFileSync(join(folder, list.stdout.trim()), 'utf8');
    for (const run of [A, B]) expect(page).toContain(`${run}/`);
    const summary = await callTopoBench(callOf('report RUN', { RUN: A, EUR: 'EUR' }), { cwd: folder });
    expect([summary.code, summary.stdout]).toEqual([0, `${join(A, 'summary.html')}\n`]);
    const onePage = readFileSync(join(folder, A, 'summary.html'), 'utf8');
    expect(onePage).toContain('cost per month');
    expect(onePage).not.toContain('<script');
    // Nothing is left to measure.
    const resumed = await callTopoBench([...callOf('run --resume', { DIR: A }), '--json'], { cwd: folder });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout).cells).toHaveLength(2);
  });

  it('measures two checkouts side by side, and what a gate would find, with commands that answer', async () => {
    const folder = temporaryFolder();
    const [head, base] = [join(folder, 'head'), join(folder, 'base')];
    mkdirSync(head);
    writeSmallFiles(head, (_, text) => text.replace('[central-entity, sidecar]', '[sidecar]'));
    cpSync(head, base, { recursive: true });
    const values = { EXPERIMENT: 'experiment.yaml' };
    const inShort = ['--threshold', 'rtt.median < +100%', '--max-time', '1s', '--json'];
    const gate = await topoBench([...callOf('gate --experiment', values), ...inShort, '--out', 'gate'], { cwd: head });
    // One second is less than a pair takes: one pair is measured, and decides nothing.
    expect(gate.code, gate.stderr).toBe(5);
    const sides = await Promise.all(['baseline', 'candidate'].map((side) => openRun(join(head, 'gate', side))));
    expect(
      sides.map(({ cells }) => cells.length),
      gate.stderr,
    ).toEqual([1, 1]);
    const [baseline, candidate] = sides.map(({ cells }) => cells[0]);
    expect(candidate?.factors).toEqual(baseline?.factors);
    expect(candidate?.decisions).toMatchObject({ wrong: 0, byRule: baseline?.decisions.byRule });
    const files = sides.map(({ record }) => (record.inputs as { topology: { file: string } }).topology.file);
    expect(files).toEqual(['../base/topology.yaml', 'topology.yaml']);
    // A pair that a busy machine made invalid has no verdict.
    if (sides.every(({ cells }) => cells[0]?.validity.valid))
      expect(JSON.parse(gate.stdout)).toMatchObject({ verdict: 'cannot tell', runDir: 'gate' });
    const self = [...callOf('gate --self-test', values), '--max-time', '1s', '--out', 'self'];
    const tested = await topoBench(self, { cwd: head });
    expect(tested.code, tested.stderr).not.toBe(0);
    expect(tested.stderr).toContain('measure for longer');
    expect((await openRun(join(head, 'self/baseline'))).cells).toHaveLength(1);
  });

  it('searches the rate that a server sustains', async () => {
    // It answers after 80 ms, whatever the rate: none meets the condition.
    const server = createServer((_, response) => void setTimeout(() => response.end('{}'), 80));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const args = [...callOf('load URL', { URL }), '--rate', '2', '--duration', '500ms'];
    const { code, stdout, stderr } = await topoBench(args);
    expect([code, stdout + stderr]).toEqual([5, expect.stringContaining('p95<50ms')]);
  });

  it('stops what runs, and has nothing left over', async () => {
    const state = temporaryFolder();
    // No engine and no cluster: what other runs of this machine have left there is not for this test to remove.
    const env = { XDG_STATE_HOME: state, DOCKER_HOST: `unix://${state}/none.sock`, KUBECONFIG: join(state, 'none') };
    const running = startTopoBench(callOf('up TOPOLOGY', { TOPOLOGY: 'topologies/quickstart.yaml' }), { env });
    await running.saw('Ctrl-C stops it');
    const down = await topoBench(callOf('down --all'), { env });
    expect([down.code, down.stdout]).toEqual([0, expect.stringMatching(/^stopped \S*topologies\/quickstart\.yaml$/m)]);
    expect((await running.ended).code).toBe(0);
    const again = await topoBench(callOf('down --all'), { env });
    expect([again.code, again.stdout]).toEqual([0, 'nothing runs, and nothing is left over\n']);
  });

  it('generates a project, and plans every shipped experiment that it names', async () => {
    const folder = temporaryFolder();
    const values = { TOPOLOGY: join(root, 'topologies/quickstart.yaml'), DIR: join(folder, 'project') };
    const generated = await callTopoBench(callOf('generate TOPOLOGY', values));
    expect(generated.code, generated.stderr).toBe(0);
    expect(existsSync(join(values.DIR, 'docker-compose.yml'))).toBe(true);
    const named = calls.flatMap((call) => /^run ([a-z][a-z-]+)\b(?!\/)/.exec(call)?.[1] ?? []);
    expect(new Set(named).size).toBeGreaterThan(5);
    for (const name of new Set(named)) {
      const { code, stdout, stderr } = await callTopoBench(['run', name, '--dry-run', '--no-probe']);
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/\d+ cells? × \d+ repetitions?/);
    }
  });
});
