/**
 * The two packages as their users get them: packed, installed into an empty project, run by plain Node.js, checked by
 * TypeScript.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPage } from '../../http2/build/api-page.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../../..');
const names = ['http2', 'arrow-flight'] as const;
let folder: string;
let project: string;

/** Packs a copy: packing rewrites the manifest for a moment, which other processes of the workspace must not see. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  project = join(folder, 'project');
  const workspace = join(folder, 'workspace');
  for (const name of names) {
    const skipped = [join(root, 'packages/libraries', name, 'dist'), join(root, 'packages/libraries', name, 'test')];
    const filter = (path: string): boolean => !skipped.includes(path);
    cpSync(join(root, 'packages/libraries', name), join(workspace, 'packages/libraries', name), {
      recursive: true,
      filter,
    });
  }
  for (const file of ['tsconfig.json', 'LICENSE']) cpSync(join(root, file), join(workspace, file));
  symlinkSync(join(root, 'node_modules'), join(workspace, 'node_modules'));
  mkdirSync(join(project, 'node_modules/@topo-bench'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  for (const name of names) {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(workspace, 'packages/libraries', name),
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    });
    // Tarballs are unpacked, and dependencies linked to those of the workspace, so that the test needs no registry.
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
    const target = join(project, 'node_modules/@topo-bench', name);
    mkdirSync(target);
    await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', target]);
    cpSync(join(root, 'packages/libraries', name, 'examples'), join(project, name), { recursive: true });
  }
  for (const dependency of ['apache-arrow', '@hpcc-js', 'zstddec', '@types', 'undici-types', 'tslib', 'flatbuffers']) {
    symlinkSync(join(root, 'node_modules', dependency), join(project, 'node_modules', dependency));
  }
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function startServer(name: string): Promise<{ server: ChildProcess; url: string }> {
  const server = spawn(process.execPath, [join(project, name, 'server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: server.stdout as NodeJS.ReadableStream }), 'line');
  return { server, url: String(url) };
}

describe.each([
  ['http2', '200 /shout: HELLO\n'],
  ['arrow-flight', 'Oslo 717\nRome 2749\nLima 10092\n'],
] as const)('%s', (name, printed) => {
  const readText = (path: string): string => readFileSync(join(root, 'packages/libraries', name, path), 'utf8');

  it('serves its examples from a tarball, by plain Node.js', async () => {
    const { server, url } = await startServer(name);
    const { stdout } = await run(process.execPath, [join(project, name, 'client.mjs'), url]).finally(() =>
      server.kill(),
    );
    expect(stdout).toBe(printed);
  });

  it('has licence, README and API page in its tarball, and no sources', async () => {
    const tarball = join(folder, `topo-bench-${name}-0.1.0.tgz`);
    const files = (await run('tar', ['-tzf', tarball])).stdout
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''));
    for (const file of ['LICENSE', 'README.md', 'API.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']) {
      expect(files).toContain(file);
    }
    expect(files.filter((path) => /^src\/|(?<!\.d)\.ts$|\.source$/.test(path))).toEqual([]);
  });

  it('shows its examples in the README', () => {
    for (const example of ['server', 'client']) {
      expect(readText('README.md')).toContain(`\`\`\`js\n${readText(`examples/${example}.mjs`)}\`\`\``);
    }
  });

  it('lists every export on its API page', () => {
    expect(
      readText('API.md'),
      `stale: run npx tsx packages/libraries/http2/build/api-page.ts packages/libraries/${name}`,
    ).toBe(apiPage(join(root, 'packages/libraries', name)));
  });
});

it('exports declarations with types that TypeScript accepts', async () => {
  writeFileSync(
    join(project, 'use.ts'),
    [
      "import { FlightClient, FlightServer, type FlightService } from '@topo-bench/arrow-flight';",
      "import { readStream } from '@topo-bench/arrow-flight/ipc';",
      "import { Http2Server } from '@topo-bench/http2';",
      'const service: FlightService = { getSchema: (descriptor) => { throw new Error(descriptor.path?.join()); } };',
      'export const port: Promise<string> = new FlightServer(service).listen();',
      '// @ts-expect-error a location is a text',
      'export const client = new FlightClient(7);',
      'export const parts = [readStream, Http2Server];',
    ].join('\n'),
  );
  const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', 'node', '--target', 'ES2023'];
  const modules = ['--module', 'NodeNext', '--moduleResolution', 'NodeNext'];
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const result = await run(process.execPath, [compiler, ...options, ...modules, 'use.ts'], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  // Declarations of dependencies are not ours to correct.
  expect(result.stdout.split('\n').filter((line) => /topo-bench|use\.ts/.test(line))).toEqual([]);
});
