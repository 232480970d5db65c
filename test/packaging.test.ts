import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validRun } from './fixtures/valid-run.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

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
async function topoBench(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const bin = join(project, 'node_modules/.bin/topo-bench');
  return run(bin, args, { cwd: project, maxBuffer: 1 << 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
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
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  it('installs without a registry and brings one package, with nothing of ours to look for elsewhere', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['topo-bench']);
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/topo-bench/package.json'), 'utf8'));
    expect(Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@topo-bench/'))).toEqual([]);
  });

  it('carries readme, licences, schemas and every shipped topology, rule set and experiment', () => {
    const installed = join(project, 'node_modules/topo-bench');
    for (const name of ['README.md', 'LICENSE', 'dist/THIRD-PARTY-LICENSES.txt'])
      expect(existsSync(join(installed, name))).toBe(true);
    const list = (path: string) => readdirSync(path, { recursive: true }).sort();
    for (const kind of ['topologies', 'rules', 'experiments', 'docs/schema']) {
      expect(list(join(installed, 'dist', kind))).toEqual(list(join(root, kind)));
    }
  });

  it('leaves the checkout as it was', () => {
    for (const name of ['README.md', 'LICENSE', 'dist/experiments', 'dist/docs']) {
      expect(existsSync(join(root, 'packages/cli', name))).toBe(false);
    }
  });

  it('runs straight from npx in an empty folder', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    // npx takes an absolute path for a program: it needs one that is relative, or `file:` before it.
    expect(await npm('npx', ['--yes', `file:${tarball}`, '--help'], empty)).toContain('Usage: topo-bench <command>');
  });

  it('writes files to edit, and they are valid', async () => {
    const { code, stderr } = await topoBench('init', 'study');
    expect([code, stderr]).toEqual([0, expect.anything()]);
    const files = readdirSync(join(project, 'study'), { recursive: true }).map(String);
    const yaml = files.filter((name) => name.endsWith('.yaml')).map((name) => join('study', name));
    expect(yaml.length).toBeGreaterThanOrEqual(3);
    const { stdout } = await topoBench('validate', '--json', ...yaml);
    expect(JSON.parse(stdout)).toEqual({ problems: [] });
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
    const { stdout, cells } = await validRun((attempt) =>
      topoBench('run', 'quickstart', ...shorter, '--out', `quickstart-${attempt}`, '--json'),
    );
    expect(cells).toHaveLength(1);
    expect(cells[0].decisions.wrong).toBe(0);
    expect(cells[0].outcomes.completed).toBeGreaterThan(0);
    expect(readdirSync(join(project, JSON.parse(stdout).runDir))).toContain('report.html');
  }, 180_000);
});
