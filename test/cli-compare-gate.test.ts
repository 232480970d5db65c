import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { type SyntheticOptions, syntheticRun } from '../packages/report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

const small = { architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 8, requests: 60 };

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = temporaryFolder();
  const slower: SyntheticOptions['change'] = (cell) => ({
    ...cell,
    rtt: { ...cell.rtt, medianUs: cell.rtt.medianUs * 1.3 },
  });
  const invalid: SyntheticOptions['change'] = (cell) => ({
    ...cell,
    validity: { valid: false, reasons: ['the generator was out of CPU'], flags: [] },
  });
  const failing: SyntheticOptions['change'] = (cell) => ({
    ...cell,
    outcomes: { completed: 2, refused: 0, error: 58, unfinished: 0 },
    errors: { 'http-500:pricing': 58 },
    validity: {
      ...{ valid: false, reasons: ['58 errors in 60 requests'], flags: [] },
      why: [{ kind: 'errors', errors: 58, requests: 60, maxShare: 0 }],
    },
  });
  await syntheticRun(path('a'), small);
  await syntheticRun(path('b'), { ...small, seed: 2 });
  await syntheticRun(path('slower'), { ...small, seed: 3, change: slower });
  await syntheticRun(path('short'), { ...small, seed: 4, repetitions: 2 });
  await syntheticRun(path('other'), { ...small, rates: [700], repetitions: 2 });
  await syntheticRun(path('invalid'), { ...small, repetitions: 2, change: invalid });
  cpSync(path('a'), path('damaged'), { recursive: true });
  truncateSync(path('damaged/cells.json'), 100);
  cpSync(path('a'), path('old'), { recursive: true });
  edit('old', (record) => ({ ...record, schemaVersion: 0 }));
  cpSync(path('b'), path('with-thresholds'), { recursive: true });
  edit('with-thresholds', (record) => ({
    ...record,
    experiment: { ...(record.experiment as object), thresholds: ['rtt.median < 1us'] },
  }));
  cpSync(path('b'), path('with-relative'), { recursive: true });
  edit('with-relative', (record) => ({
    ...record,
    experiment: { ...(record.experiment as object), thresholds: ['rtt.median < +5%', 'rtt.p95 < 1s'] },
  }));
  await syntheticRun(path('failing'), { ...small, seed: 5, change: failing });
});

function edit(run: string, change: (record: Record<string, unknown>) => unknown): void {
  const file = join(path(run), 'run.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
}

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  callTopoBench(args, { cwd: folder, env: { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '', ...env } });

describe('compare', () => {
  it('prints a row per cell, what it could not have seen, and what differs between the runs', async () => {
    const { code, stdout } = await run(['compare', 'a', 'slower']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/none .* slower\n.*sidecar .* slower\n/);
    expect(stdout).toContain('With 8 repetitions this comparison could not have seen less than');
    expect(stdout).toContain('note: seed differs: 1 → 3');
  });

  it('prints one JSON document with the promised fields', async () => {
    const { stdout } = await run(['compare', 'a', 'b', '--json', '--metric', 'rtt.p95']);
    const { cells } = JSON.parse(stdout) as { cells: Record<string, unknown>[] };
    expect(cells).toHaveLength(2);
    expect(Object.keys(cells[0] ?? {}).slice(0, 9)).toEqual([
      ...[
        'factors',
        'metric',
        'baseline',
        'candidate',
        'difference',
        'differencePercent',
        'interval',
        'pValue',
        'verdict',
      ],
    ]);
    expect(cells[0]).toMatchObject({ metric: 'rtt.p95', interval: [expect.any(Number), expect.any(Number)] });
  });

  it('compares the levels of a factor inside one run, as Markdown and CSV too', async () => {
    const table = await run(['compare', 'a', '--within', 'architecture']);
    expect(table.stdout).toMatch(/^architecture against sidecar in a: rtt\.median/);
    expect(table.stdout).toMatch(/none .* faster/);
    expect((await run(['compare', 'a', '--within', 'architecture', '--format', 'md'])).stdout).toMatch(
      /^### .*\n\n\| architecture \|/,
    );
    expect((await run(['compare', 'a', '--within', 'architecture', '--format', 'csv'])).stdout).toMatch(
      /^architecture,.*verdict/,
    );
  });

  it.each([
    [['a'], 2, 'TB_USAGE', '--within architecture'],
    [['a', 'b', 'slower'], 2, 'TB_USAGE', 'got 3'],
    [['a', 'nowhere'], 2, 'TB_RUN_FOLDER_NOT_FOUND', 'nowhere'],
    [['a', 'damaged'], 2, 'TB_RUN_FOLDER_DAMAGED', 'cells.json'],
    [['a', 'old'], 2, 'TB_RUN_FOLDER_VERSION', 'schema version 0'],
    [['a', 'other'], 2, 'TB_COMPARE_NO_COMMON_CELLS', '"rate":700'],
    [['a', 'invalid'], 5, 'TB_COMPARE_NO_VALID_REPETITION', 'out of CPU'],
    [['a', 'b', '--metric', 'rtt.medain'], 2, 'TB_METRIC_UNKNOWN', 'did you mean "rtt.median"?'],
    [['a', 'b', '--effect', '5'], 2, 'TB_USAGE', 'such as 5%'],
    [['a', 'b', '--effect', 'five'], 2, 'TB_USAGE', 'such as 5%'],
    [['a', '--within', 'architectur'], 2, 'TB_EXPERIMENT_UNKNOWN_LEVEL', 'did you mean "architecture"?'],
  ])('%j ends with exit code %i', async (args, exit, errorCode, text) => {
    const { code, stderr } = await run(['compare', ...args]);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(errorCode)]);
    expect(stderr).toContain(text);
  });
});

describe('gate', () => {
  const relative = ['--threshold', 'rtt.median < +15%'];

  it.each([
    ['passes', ['--candidate', 'b', '--baseline', 'a', ...relative], 0, 'The gate passed.'],
    ['fails', ['--candidate', 'slower', '--baseline', 'a', ...relative], 1, 'The gate failed.'],
    ['cannot tell', ['--candidate', 'short', '--baseline', 'short', ...relative], 5, 'The gate cannot tell.'],
    [
      'fails a candidate whose requests fail',
      ['--candidate', 'failing', '--baseline', 'a', ...relative, '--threshold', 'errors.rate <= 0%'],
      1,
      '96.7% of its requests ended with an error, http-500:pricing,',
    ],
    ['lets that pass', ['--candidate', 'short', '--baseline', 'short', ...relative, '--allow-undecided'], 0, 'accepts'],
    [
      'needs no baseline for a bound',
      ['--candidate', 'b', '--threshold', 'rtt.p95 < 1s', '--threshold', 'errors.rate < 0.1%'],
      0,
      'passed',
    ],
    ['takes thresholds from the experiment', ['--candidate', 'with-thresholds'], 1, 'rtt.median < 1us'],
    [
      'prefers those of the command line',
      ['--candidate', 'with-thresholds', '--threshold', 'rtt.median < 1s'],
      0,
      'passed',
    ],
  ])('%s', async (_name, args, exit, text) => {
    const { code, stdout } = await run(['gate', ...args]);
    expect([code, stdout]).toEqual([exit, expect.stringContaining(text)]);
  });

  it.each([
    [['--baseline', 'a'], 2, 'TB_USAGE', '--candidate'],
    [['--candidate', 'a'], 2, 'TB_USAGE', '--threshold'],
    [['--candidate', 'a', ...relative], 6, 'TB_GATE_NO_BASELINE', '--baseline'],
    [['--candidate', 'a', '--baseline', 'nowhere', ...relative], 6, 'TB_GATE_NO_BASELINE', '"nowhere"'],
    [['--candidate', 'nowhere', '--baseline', 'a', ...relative], 2, 'TB_RUN_FOLDER_NOT_FOUND', 'nowhere'],
    [['--candidate', 'a', '--baseline', 'damaged', ...relative], 2, 'TB_RUN_FOLDER_DAMAGED', 'cells.json'],
    [['--candidate', 'a', '--baseline', 'old', ...relative], 2, 'TB_RUN_FOLDER_VERSION', 'schema version 0'],
    [['--candidate', 'other', '--baseline', 'a', ...relative], 2, 'TB_COMPARE_NO_COMMON_CELLS', '"rate":700'],
    [['--candidate', 'invalid', '--baseline', 'a', ...relative], 5, 'TB_COMPARE_NO_VALID_REPETITION', 'out of CPU'],
    [['--candidate', 'b', '--threshold', 'rtt.p59 < 1s'], 2, 'TB_METRIC_UNKNOWN', '"rtt.p95"'],
    [
      ['--candidate', 'b', '--threshold', 'cpuUsPerRequest.sidecat < 1s'],
      2,
      'TB_METRIC_UNKNOWN',
      '"cpuUsPerRequest.sidecar"',
    ],
    [['--candidate', 'b', '--threshold', 'rtt.p95 <> 1s'], 2, 'TB_GATE_THRESHOLD', '\n          ^'],
  ])('%j ends with exit code %i', async (args, exit, errorCode, text) => {
    const { code, stderr } = await run(['gate', ...args]);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(errorCode)]);
    expect(stderr).toContain(text);
  });

  it('prints one JSON document with whether it passed, also when it did not', async () => {
    const { code, stdout } = await run(['gate', '--candidate', 'slower', '--baseline', 'a', ...relative, '--json'], {
      GITHUB_ACTIONS: 'true',
    });
    expect(code).toBe(1);
    const { passed, cells, thresholds } = JSON.parse(stdout) as Record<string, Record<string, unknown>[]>;
    expect(passed).toBe(false);
    expect(thresholds?.[0]).toMatchObject({ threshold: 'rtt.median < +15%', verdict: 'failed', passed: false });
    expect(cells?.map((cell) => [cell.verdict, cell.passed])).toEqual([
      ['slower', false],
      ['slower', false],
    ]);
  });

  it('writes JUnit and Markdown, annotates on GitHub and appends to the summary of the job', async () => {
    writeFileSync(path('summary.md'), 'Before.\n');
    const files = ['--junit', 'gate.xml', '--markdown', 'gate.md'];
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('summary.md') };
    const { code, stdout } = await run(
      ['gate', '--candidate', 'slower', '--baseline', 'a', ...relative, ...files],
      github,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=rtt\.median < \+15%25%3A failed::/m);
    expect(readFileSync(path('gate.xml'), 'utf8')).toContain('failures="1"');
    expect(readFileSync(path('gate.md'), 'utf8')).toContain('❌ failed');
    expect(readFileSync(path('summary.md'), 'utf8')).toMatch(/^Before\.\n### Performance gate/);
  });

  it('makes the folders of its files, and writes the others when one cannot be written', async () => {
    const judged = ['gate', '--candidate', 'slower', '--baseline', 'a', ...relative];
    const files = ['--junit', 'made/for/gate.xml', '--markdown', 'made/gate.md'];
    expect((await run([...judged, ...files])).code).toBe(1);
    expect(existsSync(path('made/for/gate.xml')) && existsSync(path('made/gate.md'))).toBe(true);
    // A device that every user may write to, and that is always full.
    const { code, stdout, stderr } = await run([...judged, '--junit', '/dev/full', '--markdown', 'kept.md'], {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: path('no/summary.md'),
    });
    expect([code, stdout]).toEqual([3, expect.stringContaining('The gate failed.')]);
    expect(stdout).toContain('::error title=');
    expect(stderr).toMatch(/no job summary: cannot write \S+: there is no such file or folder/);
    expect(stderr).toContain('TB_FILE_NOT_WRITABLE: cannot write /dev/full: the disk is full');
    expect(readFileSync(path('kept.md'), 'utf8')).toContain('❌ failed');
  });

  const own = ['--baseline-ref', '.', '--experiment', 'quickstart'];
  it.each([
    ['no baseline', ['--candidate', 'b', '--baseline', 'nope', ...relative], 6, 'rtt.median < +15%', 'got "nope"'],
    ['no candidate', ['--candidate', 'nope', '--baseline', 'a', ...relative], 2, 'rtt.median < +15%', 'nope'],
    ['no candidate and so no thresholds', ['--candidate', 'nope'], 2, 'thresholds of the experiment', 'nope'],
    ['a ref that names nothing', ['--candidate-ref', '../nope', ...own, ...relative], 2, 'rtt.median < +15%', 'nope'],
    [
      'a wrong choice',
      ['--experiment', 'quickstart', '--candidate-set', 'architecture=nope', ...relative],
      2,
      'rtt.median < +15%',
      'nope',
    ],
  ])('with %s writes every output', async (what, args, exit, threshold, reason) => {
    const [xml, markdown] = [path(`${what}.xml`), path(`${what}.md`)];
    writeFileSync(path('job.md'), '');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('job.md') };
    const { code, stdout, stderr } = await run(['gate', ...args, '--junit', xml, '--markdown', markdown], github);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(reason)]);
    const [, message = ''] = /^error TB_\w+: (.*)$/m.exec(stderr) ?? [];
    const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    expect(readFileSync(xml, 'utf8')).toContain('tests="1" failures="0" errors="1"');
    expect(readFileSync(xml, 'utf8')).toContain(`name="${escaped(threshold)}"`);
    expect(readFileSync(xml, 'utf8')).toContain(`<error message="${escaped(message)}"`);
    expect(readFileSync(markdown, 'utf8')).toMatch(/❔ cannot tell/);
    expect(readFileSync(path('job.md'), 'utf8')).toContain('❔ cannot tell');
    expect(stdout).toContain('::');
  });

  // Only the superuser may write there, as far as the permissions of the folder tell.
  it.skipIf(process.getuid?.() !== 0)('ends where the system does not allow the folder of a file', async () => {
    const args = ['--candidate', 'slower', '--baseline', 'a', ...relative, '--junit', '/proc/none/gate.xml'];
    const { code, stdout, stderr } = await run(['gate', ...args, '--markdown', 'other.md']);
    expect([code, stdout]).toEqual([3, expect.stringContaining('The gate failed.')]);
    expect(stderr).toMatch(/TB_FILE_NOT_WRITABLE: cannot write \/proc\/none\/gate\.xml: .*does not allow the folder/);
    expect(readFileSync(path('other.md'), 'utf8')).toContain('❌ failed');
  });

  it('prints one JSON document, and every error, when neither baseline nor file can be written', async () => {
    writeFileSync(path('no-folder'), '');
    const judged = ['gate', '--candidate', 'b', '--baseline', 'a', ...relative, '--json', '--junit', '/dev/full'];
    const { code, stdout, stderr } = await run([...judged, '--save-baseline', 'no-folder/baseline']);
    expect(JSON.parse(stdout)).toMatchObject({ passed: true });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/error TB_\w+: .*no-folder/);
    expect(stderr).toContain('TB_FILE_NOT_WRITABLE: cannot write /dev/full');
  });

  it.each([
    [['--junit', 'a'], '--junit a: got a folder, expected a file'],
    [['--junit', 'reports/'], '--junit reports/: got a folder, expected a file'],
    [['--markdown', 'a/run.json/gate.md'], 'a/run.json is a file, expected a folder'],
  ])('refuses %j before it measures', async (file, message) => {
    const measuring = ['gate', '--experiment', 'quickstart', '--candidate-set', 'defaults.work=1ms', ...relative];
    const { code, stdout, stderr } = await run([...measuring, '--out', 'not-measured', ...file]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(existsSync(path('not-measured'))).toBe(false);
  });

  it('prints and writes its verdict also when the baseline cannot be saved', async () => {
    mkdirSync(path('taken'));
    writeFileSync(path('taken/file'), '');
    const args = ['--candidate', 'b', '--baseline', 'a', ...relative, '--save-baseline', './taken'];
    const { code, stdout, stderr } = await run(['gate', ...args, '--junit', 'taken.xml']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TB_FILE_EXISTS')]);
    expect(stdout).toContain('The gate passed.');
    expect(readFileSync(path('taken.xml'), 'utf8')).toContain('failures="0"');
  });

  it('saves a baseline by name, gates against it, and does not save a candidate that fails', async () => {
    const first = await run(['gate', '--candidate', 'with-relative', '--save-baseline', 'first']);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('pass  rtt.p95 < 1s')]);
    expect(first.stdout).toContain('baseline saved: .topo-bench/baselines/first');
    expect(first.stdout).toContain('not judged without a baseline: "rtt.median < +5%"; give --baseline NAME');
    expect((await run(['gate', '--candidate', 'a', '--save-baseline', 'main'])).stdout).toContain(
      'baseline saved: .topo-bench/baselines/main',
    );
    expect(readdirSync(path('.topo-bench/baselines/main')).sort()).toEqual(['cells.json', 'run.json']);
    expect((await run(['gate', '--candidate', 'b', '--baseline', 'main', ...relative])).code).toBe(0);
    const failing = ['gate', '--candidate', 'slower', '--baseline', 'main', ...relative, '--save-baseline', 'next'];
    expect((await run(failing)).code).toBe(1);
    expect(existsSync(path('.topo-bench/baselines/next'))).toBe(false);
    mkdirSync(path('full'));
    writeFileSync(path('full/file'), '');
    expect(await run(['gate', '--candidate', 'a', '--save-baseline', './full'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('TB_FILE_EXISTS'),
    });
  });
});

describe('gate --self-test', () => {
  it.each([
    [['--baseline', 'a', '--candidate', 'b'], 'a and b are no pairs of equal sides'],
    [['--candidate', 'a'], '--self-test needs --experiment, or --baseline and --candidate'],
    [['--baseline', 'a', '--candidate', 'b', '--junit', 'gate.xml'], '--junit cannot be combined with --self-test'],
    [['--experiment', 'quickstart', '--candidate-ref', '.'], '--candidate-ref cannot be combined with --self-test'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run(['gate', '--self-test', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
