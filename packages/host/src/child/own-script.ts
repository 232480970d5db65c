/** A script of our own, as a process: bundled next to the command line, or its source in a working copy. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface OwnScript {
  path: string;
  /** Node options of the script. */
  execArgv: string[];
}

/** @param bundled file name in the bundle */
export function ownScript(bundled: string, source: URL): OwnScript {
  const built = [`./${bundled}`, `../${bundled}`]
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find(existsSync);
  if (built !== undefined) return { path: built, execArgv: [] };
  const loader = createRequire(import.meta.url).resolve('tsx');
  return { path: fileURLToPath(source), execArgv: ['--import', pathToFileURL(loader).href] };
}
