/** Builds the script of the report page: one file for browsers, with the licences of what it contains. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** @param root of the work tree; @returns its text, and esbuild's account of what went into it */
export async function buildPageScript(root) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'packages/report/src/browser/page.ts')],
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
    // Where it would be with `write`: paths in the account are relative to the root.
    outfile: join(root, 'report-page.js'),
  });
  return { text: outputFiles[0].text.trim(), metafile };
}
