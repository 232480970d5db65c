/**
 * Bundles a script of this package into one file, as the build does: what is measured and tested starts like what is
 * shipped.
 */
import { build, stop } from 'esbuild';

export async function bundle(entry: URL, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry.pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Bundled CommonJS packages ask for built-in modules with `require`.
    banner: { js: "import { createRequire as $from } from 'node:module'; const require = $from(import.meta.url);" },
    logLevel: 'error',
  });
}

/** Its process would otherwise wake several hundred times a second. */
export const endBundler = stop;

export const workerEntry = new URL('../src/worker-entry.ts', import.meta.url);
