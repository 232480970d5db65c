/** Path of the script of generator processes: bundled next to the command line, or the sources in a working copy. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface WorkerScript {
  path: string;
  /** Node options of the script. */
  execArgv: string[];
}

/** @param path a built script to use instead */
export function workerScript(path?: string): WorkerScript {
  const built = path ?? bundled.find(existsSync);
  if (built !== undefined) return { path: built, execArgv: [] };
  const loader = createRequire(import.meta.url).resolve('tsx');
  return {
    path: fileURLToPath(new URL('../worker-entry.ts', import.meta.url)),
    execArgv: ['--import', pathToFileURL(loader).href],
  };
}

const bundled = ['./load-worker.js', '../load-worker.js'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
