/**
 * Builds what users run, into `packages/cli/dist`: the command line tool and the load worker as ES modules that share
 * chunks (a verb loads only its own), the service entry (`build-service.mjs`), and the script of the report page.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPageScript } from '../../report/build/page-script.mjs';
import { buildService } from './build-service.mjs';
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
  // Names stay: they are what a user's stack trace and CPU profile show.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** @returns esbuild's account of what went into the files */
async function buildModules() {
  const { metafile } = await build({
    ...common,
    entryPoints: { cli: 'packages/cli/src/main.ts', 'load-worker': 'loadgen/src/worker-entry.ts' },
    format: 'esm',
    splitting: true,
    outdir: staging,
    chunkNames: '[name]-[hash]',
    // CommonJS packages inside an ES module still ask for these.
    banner: {
      js: [
        `import{createRequire as $createRequire}from'node:module';`,
        'const require=$createRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;',
      ].join(''),
    },
    metafile: true,
  });
  return metafile;
}

/** @returns likewise */
async function buildPage() {
  const { text, metafile } = await buildPageScript(root);
  // Pages are passed on without the file of licences.
  await writeFile(join(staging, 'report-page.js'), `${text}\n/*\n${thirdPartyLicenses([metafile], root)}*/`);
  return metafile;
}

/** Files that modules look for next to themselves. */
const besideModules = ['packages/studies/src/transfer/pyarrow/pyarrow_server.py'];

async function copyFiles() {
  for (const file of besideModules) await copyFile(join(root, file), join(staging, basename(file)));
}

/** Replaces `dist` in one step, so that a process that starts meanwhile never sees half a build. */
async function swapIn() {
  const previous = `${staging}.previous`;
  if (existsSync(dist)) await rename(dist, previous);
  await rename(staging, dist);
  await rm(previous, { recursive: true, force: true });
}

try {
  await mkdir(staging, { recursive: true });
  // Both are waited for: esbuild fails when the process continues without it.
  const builds = await Promise.allSettled([buildModules(), buildService(common, staging), buildPage()]);
  for (const { reason } of builds) if (reason) throw reason;
  const licenses = thirdPartyLicenses(
    builds.map(({ value }) => value),
    root,
  );
  await writeFile(join(staging, 'THIRD-PARTY-LICENSES.txt'), licenses);
  await copyFiles();
  await swapIn();
  console.error(`built ${relative(root, dist)} in ${Math.round(performance.now() - started)} ms`);
} catch (error) {
  // esbuild has printed its own errors with their places.
  if (!error.errors) throw error;
  process.exitCode = 1;
} finally {
  await rm(staging, { recursive: true, force: true });
}
