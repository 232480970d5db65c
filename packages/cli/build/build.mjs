/**
 * Builds `packages/cli/dist`. The command line tool and the load worker are ES modules with shared chunks; a verb loads
 * only its own. The service entry (`build-service.mjs`) and the script of the report page are separate.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPageScript } from '../../report/build/page-script.mjs';
import { buildPageScripts, packedWorker } from '../../workshop/build/page-scripts.mjs';
import { buildService } from './build-service.mjs';
import { layServiceImage } from './service-image.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const dist = join(root, 'packages/cli/dist');
const staging = `${dist}.${process.pid}`;
const started = performance.now();

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Identifiers are kept: they appear in stack traces and CPU profiles of users.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** @returns esbuild's metafile */
async function buildModules() {
  const { metafile } = await build({
    ...common,
    entryPoints: {
      'access-client': 'packages/guests/access-study/src/client/client-entry.ts',
      cli: 'packages/cli/src/main.ts',
      connector: 'packages/guests/connectors/src/connector-entry.ts',
      converter: 'packages/guests/connectors/src/converter-entry.ts',
      exporter: 'packages/guests/connectors/src/exporter-entry.ts',
      'load-worker': 'loadgen/src/worker-entry.ts',
      'prepare-stores': 'packages/guests/stores/src/prepare-entry.ts',
      'stream-engine': 'packages/guests/stream-study/src/engine/embedded/engine-entry.ts',
    },
    format: 'esm',
    splitting: true,
    outdir: staging,
    chunkNames: '[name]-[hash]',
    // CommonJS packages inside an ES module still use these.
    banner: {
      js: [
        `import{createRequire as $createRequire}from'node:module';`,
        'const require=$createRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;',
      ].join(''),
    },
    metafile: true,
    // Optional parts of the SSH client, which it does without.
    external: ['*.node', 'cpu-features'],
  });
  return metafile;
}

/** @returns esbuild's metafile */
async function buildPage() {
  const { text, metafile } = await buildPageScript(root);
  // Report pages are shared without the file of licences.
  await writeFile(join(staging, 'report-page.js'), `${text}\n/*\n${thirdPartyLicenses([metafile], root)}*/`);
  return metafile;
}

/** @returns esbuild's metafiles */
async function buildWorkshop() {
  const { page, worker, whatIf } = await buildPageScripts(root);
  // Exported pages and reports are shared without the file of licences.
  const files = {
    'workshop-page.js': [page.text, page],
    'workshop-worker.js': [worker.text, worker],
    'what-if.js': [whatIf.text, whatIf],
    'simulator.txt': [packedWorker(worker.text), worker],
  };
  for (const [name, [text, { metafile }]] of Object.entries(files)) {
    await writeFile(join(staging, name), `${text}\n/*\n${thirdPartyLicenses([metafile], root)}*/`);
  }
  return [page.metafile, worker.metafile, whatIf.metafile];
}

/** Files that modules load from their own folder. */
const pyarrow = 'packages/guests/transfer-study/src/pyarrow';
const decoder = 'parquet_wasm_bg.wasm';
const besideModules = [
  ...['pyarrow_server.py', 'kept_columns.py'].map((file) => join(root, pyarrow, file)),
  join(root, 'node_modules/parquet-wasm/node', decoder),
  join(root, 'packages/runners/src/local/profiling/profiling-preload.cjs'),
];

async function copyFiles() {
  for (const file of besideModules) await copyFile(file, join(staging, basename(file)));
}

/** Replaces `dist` in one step: a process that starts meanwhile never reads an incomplete build. */
async function swapIn() {
  const previous = `${staging}.previous`;
  if (existsSync(dist)) await rename(dist, previous);
  await rename(staging, dist);
  await rm(previous, { recursive: true, force: true });
}

try {
  await mkdir(staging, { recursive: true });
  // Waits for all builds: esbuild fails if the process continues while one runs.
  const builds = await Promise.allSettled([
    buildModules(),
    buildService(common, staging),
    buildPage(),
    buildWorkshop(),
  ]);
  for (const { reason } of builds) if (reason) throw reason;
  const licenses = thirdPartyLicenses(
    builds.flatMap(({ value }) => value),
    root,
  );
  await writeFile(join(staging, 'THIRD-PARTY-LICENSES.txt'), licenses);
  await copyFiles();
  await layServiceImage(root, staging, builds[0].value, [decoder]);
  await swapIn();
  console.error(`built ${relative(root, dist)} in ${Math.round(performance.now() - started)} ms`);
} catch (error) {
  // esbuild has already printed its own errors with their places.
  if (!error.errors) throw error;
  process.exitCode = 1;
} finally {
  await rm(staging, { recursive: true, force: true });
}
