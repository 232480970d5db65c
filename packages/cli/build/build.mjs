/**
 * Builds what users run, into `packages/cli/dist`: the command line tool and the load worker as ES modules that share
 * chunks (a verb loads only its own), and the service entry as one file for `service.cjs`, which keeps V8's code cache.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { leanModules } from './lean-modules.mjs';

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

async function buildModules() {
  await build({
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
  });
}

async function buildService() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['packages/services/src/entry.ts'],
    format: 'cjs',
    // One byte per character: V8 then takes the file as it is.
    charset: 'ascii',
    write: false,
    plugins: [leanModules],
  });
  const code = `(function(exports,require,module,__filename,__dirname){${outputFiles[0].text}\n})`;
  const id = createHash('sha256').update(code).digest('hex').slice(0, 12);
  const loader = await readFile(new URL('service-loader.cjs', import.meta.url), 'utf8');
  await writeFile(join(staging, 'service-code.cjs'), code);
  await writeFile(join(staging, 'service.cjs'), loader.replace('BUILD_ID', id));
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
  await Promise.all([buildModules(), buildService()]);
  await swapIn();
  console.error(`built ${relative(root, dist)} in ${Math.round(performance.now() - started)} ms`);
} finally {
  await rm(staging, { recursive: true, force: true });
}
