/** Builds the scripts of the workshop page: one for the page, and one for its worker, which simulates. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** @param root of the work tree; @returns both texts, and esbuild's account of what went into each */
export async function buildPageScripts(root) {
  const [page, worker] = await Promise.all(
    ['browser/page.ts', 'browser/worker.ts'].map((entry) => bundled(root, entry)),
  );
  return { page, worker };
}

/** @param entry below the sources of this package */
export async function bundled(root, entry) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'packages/workshop/src', entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
    // Simulations decide by the compiled engine, so a browser never loads the other one. What is loaded on demand would
    // also keep esbuild from leaving out unused code of the packages that it shares.
    external: ['json-rules-engine', './json-rules-engine/*'],
    outfile: join(root, `${entry.replace('/', '-')}.js`),
  });
  return { text: outputFiles[0].text.trim(), metafile };
}
