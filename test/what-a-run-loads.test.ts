/** A routing run loads what it uses: stage by stage, and neither Flight nor a database client at any time. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { root } from './fixtures/topo-bench.ts';

const run = 'packages/cli/src/commands/run';
const entries = [`${run}/action.ts`, `${run}/resolve-run.ts`, `${run}/measure-run.ts`];
/** With these, all that is loaded before the first repetition of a routing run. */
const measuring = [
  'packages/workbench/src/run.ts',
  'packages/experiment/src/run-experiment.ts',
  'packages/measured/src/measured-backend.ts',
  'packages/routing/src/test-bed.ts',
  'packages/runners/src/local/runner.ts',
];

const unused = /^packages\/(arrow-flight|http2|columns)\/|node_modules\/(apache-arrow|pg|mongodb|mysql2|@redis)\//;

/** The files of these entries and of all their static imports; type imports are not among them. */
function staticFiles({ inputs }: Metafile, from: readonly string[]): string[] {
  const found = new Set(from);
  for (const file of found) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (!external && kind !== 'dynamic-import') found.add(path);
    }
  }
  return [...found];
}

const ours = (files: readonly string[]): string[] => files.filter((file) => !file.includes('node_modules/'));

describe('the code of a routing run', () => {
  let metafile: Metafile;
  beforeAll(async () => {
    ({ metafile } = await build({
      absWorkingDir: root,
      entryPoints: [...entries, ...measuring],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: 'unwritten',
      write: false,
      metafile: true,
      // Optional native parts of a dependency of Docker's client, present where npm could build them.
      loader: { '.node': 'empty' },
      logLevel: 'silent',
    }));
  });

  it('is loaded in stages: the first of them is small, and fewer than 300 files resolve an experiment', () => {
    expect(ours(staticFiles(metafile, entries.slice(0, 1))).length).toBeLessThan(10);
    // Each kind of study brings the schemas of its settings and of its payload.
    expect(ours(staticFiles(metafile, entries.slice(0, 2))).length).toBeLessThan(300);
  });

  it('has a bounded number of files before the first repetition', () => {
    expect(ours(staticFiles(metafile, [...entries, ...measuring])).length).toBeLessThan(525);
  });

  it('reaches neither Flight nor a database client by static imports', () => {
    expect(staticFiles(metafile, [...entries, ...measuring]).filter((file) => unused.test(file))).toEqual([]);
  });
});

it('a routing run loads neither Flight nor a database client in any of its processes', async () => {
  const folder = temporaryFolder();
  writeSmallFiles(folder);
  const coverage = join(folder, 'coverage');
  const script = `import(${JSON.stringify(`${root}packages/cli/src/main.ts`)}).then(({ start }) => start(['run', 'experiment.yaml', '--only', 'architecture=sidecar']))`;
  // From sources: in the bundle, files have lost their names. Coverage lists every script of every process.
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), '-e', script], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const loaded = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url.replace(`file://${root}`, ''));
  });
  expect(stderr).toContain('[1/1]');
  expect(loaded).toContain('packages/routing/src/test-bed.ts');
  expect(loaded.filter((file) => unused.test(file))).toEqual([]);
}, 180_000);
