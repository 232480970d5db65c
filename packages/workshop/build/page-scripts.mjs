/** Builds the scripts of the workshop page: one for the page, and one for its worker, which simulates. */
import { bundleForBrowser } from '../../report/build/page-script.mjs';

/**
 * Simulations decide by the compiled engine, so a browser never loads the other one. What is loaded on demand would
 * also keep esbuild from leaving out unused code of the packages that it shares.
 */
const external = ['json-rules-engine', './json-rules-engine/*'];

/** @param root of the work tree; @returns both texts, and esbuild's account of what went into each */
export async function buildPageScripts(root) {
  const [page, worker] = await Promise.all(
    ['browser/page.ts', 'browser/worker.ts'].map((entry) => bundled(root, entry)),
  );
  return { page, worker };
}

/** @param entry below the sources of this package */
export function bundled(root, entry) {
  return bundleForBrowser(root, `packages/workshop/src/${entry}`, `${entry.replace('/', '-')}.js`, external);
}
