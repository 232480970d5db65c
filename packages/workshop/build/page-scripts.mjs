/** Builds the scripts of the workshop page, of its worker, which simulates, and of the sliders of reports. */
import { deflateRawSync } from 'node:zlib';
import { bundleForBrowser } from '../../report/build/page-script.mjs';

/**
 * Simulations decide by the compiled engine, so a browser never loads the other one. What is loaded on demand would
 * also keep esbuild from leaving out unused code of the packages that it shares.
 */
const external = ['json-rules-engine', './json-rules-engine/*'];

/** @param root of the work tree; @returns the texts, and esbuild's account of what went into each */
export async function buildPageScripts(root) {
  const [page, worker, whatIf] = await Promise.all(
    ['browser/page.ts', 'browser/worker.ts', 'browser/what-if.ts'].map((entry) => bundled(root, entry)),
  );
  return { page, worker, whatIf };
}

/** @param text of the worker; @returns it as reports contain it */
export function packedWorker(text) {
  return deflateRawSync(text, { level: 9 }).toString('base64');
}

/** @param entry below the sources of this package */
export function bundled(root, entry) {
  return bundleForBrowser(root, `packages/workshop/src/${entry}`, `${entry.replace('/', '-')}.js`, external);
}
