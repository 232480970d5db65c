/** The package.json of a new project: its scripts, and the way to topo-bench where none is installed. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../version.ts';
import { shellWord } from './shell-word.ts';

/** Commands of the project by name, with what each brings. */
export const scripts = {
  check: {
    command: 'topo-bench validate topology.yaml rules.yaml experiment.yaml && topo-bench rules test rules.yaml',
    brings: 'problems of the files, and the decision table',
  },
  study: { command: 'topo-bench run experiment.yaml', brings: 'the comparison, in about four minutes' },
} as const;

/** Shipped experiments, each the answer to a question, in the order of docs/questions.md. */
export const questions = {
  'rate-knee': 'at what rate is a central entity the bottleneck?',
  'rules-cost': 'what do five more rules per service cost?',
  'region-delay': 'what do regions 40 ms apart cost?',
  'router-count': 'one, two or three routers?',
  replicas: 'does a second central entity help at 12 services?',
} as const;

/** Whether `npx topo-bench` in the folder finds an installed one, there or in a folder above. */
export function isInstalledFor(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules/topo-bench/package.json'))) return true;
    if (at === dirname(at)) return false;
  }
}

/** Without an installed topo-bench, the project depends on the version that writes it, wherever that comes from. */
export function packageManifest(folder: string): string {
  const commands = Object.entries(scripts).map(([name, { command }]) => [name, command]);
  const manifest = {
    name: packageName(folder),
    private: true,
    scripts: Object.fromEntries(commands),
    ...(!isInstalledFor(folder) && { devDependencies: { 'topo-bench': version() } }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Lower case, and only characters that npm accepts. */
function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-');
  return name.replaceAll(/^-+|-+$/g, '') || 'study';
}

/** Installs the package that writes the project, as the version that its manifest pins. No path gets into a file. */
export function installCommand(): string {
  return `npm install --no-save ${shellWord(ownPackage())}`;
}

/** Folder of package.json, from `src/commands/init/` or from a chunk in `dist/`. */
function ownPackage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
