/** Files of the build: entries of other processes, and the script of the report page. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { TopoBenchError } from '@topo-bench/core';

/**
 * Path of the service entry.
 * @throws TopoBenchError `TB_NOT_BUILT`
 */
export function serviceEntry(): string {
  return built('service.cjs', 'the service entry');
}

/**
 * Text of the report page's script.
 * @throws TopoBenchError `TB_NOT_BUILT`
 */
export async function pageScript(): Promise<string> {
  return readFile(built('report-page.js', "the report page's script"), 'utf8');
}

/**
 * Texts of the scripts of the workshop page.
 * @throws TopoBenchError `TB_NOT_BUILT`
 */
export async function workshopScripts(): Promise<{ page: string; worker: string }> {
  const [page, worker] = await Promise.all(
    ['page', 'worker'].map((name) => readFile(built(`workshop-${name}.js`, 'the workshop page'), 'utf8')),
  );
  return { page: page as string, worker: worker as string };
}

/**
 * Texts of the sliders of a report, and of their worker.
 * @throws TopoBenchError `TB_NOT_BUILT`
 */
export async function whatIfTexts(): Promise<{ script: string; worker: string }> {
  const what = 'the simulator of reports';
  const [script, worker] = await Promise.all(
    ['what-if.js', 'simulator.txt'].map((name) => readFile(built(name, what), 'utf8')),
  );
  return { script: script as string, worker: worker as string };
}

/** Next to this file when bundled, in `dist/` when run from sources. */
function built(name: string, what: string): string {
  const places = [`./${name}`, `../dist/${name}`].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = places.find((path) => existsSync(path));
  if (found) return found;
  throw new TopoBenchError('TB_NOT_BUILT', `${what} is not built: ${places[0]} is missing`, {
    hint: 'run: npm run setup',
  });
}
