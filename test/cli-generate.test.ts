import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { smallTopology, temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';

const folder = temporaryFolder();
const out = join(folder, 'project');
const generate = (more: string[] = [], env: Record<string, string> = {}) =>
  callTopoBench(['generate', 'topology.yaml', '--target', 'compose', '--out', 'project', ...more], {
    cwd: folder,
    env,
  });
const changesOf = async (more: string[] = []): Promise<Record<string, string>> => {
  const { code, stdout, stderr } = await generate([...more, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  const { files } = JSON.parse(stdout) as { files: { path: string; change: string }[] };
  return Object.fromEntries(files.map(({ path, change }) => [path, change]));
};
const read = (path: string): string => readFileSync(join(out, path), 'utf8');

beforeEach(() => {
  rmSync(out, { recursive: true, force: true });
  writeSmallFiles(folder);
});

describe('generate', () => {
  it('writes a project, and the same one again without a difference', async () => {
    const first = await changesOf();
    expect(new Set(Object.values(first))).toEqual(new Set(['new']));
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(['docker-compose.yml', 'graph.json', 'config/gateway.json', 'secrets/gateway.json']),
    );
    const secret = read('secrets/gateway.json');
    expect(new Set(Object.values(await changesOf()))).toEqual(new Set(['unchanged']));
    expect(read('secrets/gateway.json')).toBe(secret);
  });

  it('writes the same files in another clone, under secrets of its own', async () => {
    await generate();
    const [committed, secret] = [read('docker-compose.yml'), read('secrets/gateway.json')];
    rmSync(join(out, 'secrets'), { recursive: true });
    const changes = Object.entries(await changesOf());
    expect(changes).toEqual(changes.map(([path]) => [path, path.startsWith('secrets/') ? 'new' : 'unchanged']));
    expect(new Set(changes.map(([, change]) => change))).toEqual(new Set(['new', 'unchanged']));
    expect(read('docker-compose.yml')).toBe(committed);
    expect(read('secrets/gateway.json')).not.toBe(secret);
  });

  it('names a command in the files that writes them again from their folder', async () => {
    await generate(['--set', 'architecture=central-entity']);
    const [, command = ''] = /^# {3}(topo-bench generate .*)$/m.exec(read('docker-compose.yml')) ?? [];
    expect(command).toBe(
      'topo-bench generate ../topology.yaml --target compose --out . --set architecture=central-entity',
    );
    const again = await callTopoBench([...command.split(' ').slice(1), '--json'], { cwd: out });
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(again.stdout).not.toMatch(/"change":"(new|changed|removed)"/);
  });

  it('writes no secret of `--set` into committed files, and refuses the placeholder in its place', async () => {
    const key = 'k3y-of-the-command-line';
    const services = 'services: [{ name: own, image: "own:1", env: { API_KEY: x } }, ';
    writeFileSync(join(folder, 'topology.yaml'), smallTopology.replace('services: [', services));
    await changesOf(['--set', `services.own.env.API_KEY=${key}`]);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(out, path)).isFile(),
    );
    expect(files.filter((path) => read(path).includes(key))).toEqual(['secrets/own.env']);
    expect(read('docker-compose.yml')).toContain("--set 'services.own.env.API_KEY=<not stored>'");
    const { code, stderr } = await generate(['--set', 'services.own.env.API_KEY=<not stored>']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected the value')]);
  });

  it('keeps secrets from other users and from git', async () => {
    await generate();
    expect(statSync(join(out, 'secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(join(out, 'secrets/secret')).mode & 0o777).toBe(0o600);
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: out, encoding: 'utf8' });
    git('init', '--quiet');
    const tracked = git('ls-files', '--others', '--exclude-standard').trim().split('\n').sort();
    expect(tracked).toContain('docker-compose.yml');
    expect(tracked.filter((path) => path.includes('secret'))).toEqual([]);
  });

  it('derives all secrets from a variable, where it is set', async () => {
    const variable = { TOPO_BENCH_SECRET: 'x'.repeat(32) };
    await generate([], variable);
    const first = read('secrets/gateway.json');
    rmSync(out, { recursive: true });
    await generate([], variable);
    expect(read('secrets/gateway.json')).toBe(first);
    const short = await generate([], { TOPO_BENCH_SECRET: 'short' });
    expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('got 5 characters, expected at least 32')]);
    expect(short.stderr).not.toContain('"short"');
  });

  it('overwrites no file that it did not write, unless forced', async () => {
    await generate();
    rmSync(join(out, 'generated-files.txt'));
    writeFileSync(join(out, 'graph.json'), 'mine');
    const refused = await generate();
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('TB_FILE_EXISTS')]);
    expect(refused.stderr).toContain('graph.json');
    expect(read('graph.json')).toBe('mine');
    expect((await generate(['--force'])).code).toBe(0);
    expect(read('graph.json')).toContain('"nodes"');
  });

  it('removes its own files that are no longer part of the project, and no others', async () => {
    await generate(['--set', 'architecture=sidecar']);
    writeFileSync(join(out, 'config', 'notes.txt'), 'mine');
    const before = readdirSync(join(out, 'config'));
    const changes = await changesOf(['--set', 'architecture=none']);
    const removed = Object.keys(changes).filter((path) => changes[path] === 'removed');
    expect(removed.length).toBeGreaterThan(0);
    const after = readdirSync(join(out, 'config'));
    expect(before.filter((name) => !after.includes(name)).map((name) => `config/${name}`)).toEqual(removed.sort());
    expect(after).toContain('notes.txt');
  });

  it('writes nothing in a dry run, and lists what would change', async () => {
    const { code, stdout } = await generate(['--dry-run']);
    expect([code, existsSync(out)]).toEqual([0, false]);
    expect(stdout).toMatch(/^new {6}docker-compose\.yml$/m);
    expect(stdout).toMatch(/nothing written$/m);
  });

  it.each([
    ['no target', ['generate', 'quickstart', '--out', 'x'], "required option '--target <name>'"],
    ['no folder', ['generate', 'quickstart', '--target', 'compose'], "required option '--out <folder>'"],
    ['an unknown target', ['generate', 'quickstart', '--target', 'nomad', '--out', 'x'], 'compose'],
    ['no such topology', ['generate', 'gone', '--target', 'compose', '--out', 'x'], 'shipped: '],
  ])('refuses %s', async (_, args, text) => {
    const { code, stderr } = await callTopoBench(args, { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });

  it('reports all problems of the topology, and writes nothing', async () => {
    writeFileSync(join(folder, 'topology.yaml'), `${smallTopology}servises: []\n`);
    const { code, stderr } = await generate();
    expect([code, stderr]).toEqual([2, expect.stringContaining('TB_SCHEMA_UNKNOWN_KEY')]);
    expect(existsSync(out)).toBe(false);
  });

  it('names a folder that it cannot write to', async () => {
    writeFileSync(out, 'a file');
    const { code, stderr } = await generate();
    expect([code, stderr]).toEqual([3, expect.stringContaining('TB_FILE_NOT_WRITABLE')]);
  });
});
