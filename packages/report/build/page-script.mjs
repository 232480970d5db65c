/** Builds scripts for browsers: one file each, with the licences of what it contains. */
import { join } from 'node:path';
import { build } from 'esbuild';

/** @param root of the work tree; @returns the script of the report page */
export function buildPageScript(root) {
  return bundleForBrowser(root, 'packages/report/src/browser/page.ts', 'report-page.js');
}

/**
 * @param entry from the root
 * @param name of the script, in esbuild's account
 * @param external what no browser loads
 * @returns its text, and esbuild's account of what went into it
 */
export async function bundleForBrowser(root, entry, name, external = []) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
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
    external,
    // Where it would be with `write`: paths in the account are relative to the root.
    outfile: join(root, name),
  });
  return { text: outputFiles[0].text.trim(), metafile };
}
