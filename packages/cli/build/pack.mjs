/**
 * Copies the files of the npm tarball into the package before `npm pack`, and removes them afterwards. A checkout thus
 * keeps one copy of each file. Usage: `node pack.mjs lay | clear`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryFiles, withAbsoluteLinks } from './packed-links.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const here = join(root, 'packages/cli');

/** From the root of the checkout to the package. Relative positions are kept: paths inside the files depend on them. */
const files = {
  'README.md': 'README.md',
  LICENSE: 'LICENSE',
  'CHANGELOG.md': 'CHANGELOG.md',
  'CONTRIBUTING.md': 'CONTRIBUTING.md',
  docs: 'docs',
  topologies: 'dist/topologies',
  rules: 'dist/rules',
  experiments: 'dist/experiments',
  calibrations: 'dist/calibrations',
  clusters: 'dist/clusters',
  'docs/schema': 'dist/docs/schema',
};

if (process.argv[2] === 'lay') {
  const { status } = spawnSync(process.execPath, [join(here, 'build/setup.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  for (const [from, to] of Object.entries(files)) cpSync(join(root, from), join(here, to), { recursive: true });
  const address = repositoryFiles(root);
  for (const file of markdown()) {
    const path = join(here, file);
    writeFileSync(path, withAbsoluteLinks(readFileSync(path, 'utf8'), file, address));
  }
} else {
  for (const to of [...Object.values(files), 'dist/docs']) rmSync(join(here, to), { recursive: true, force: true });
}

/** Packed Markdown files; their paths are those of the checkout. */
function markdown() {
  const docs = readdirSync(join(here, 'docs'), { recursive: true }).map((name) => `docs/${name}`);
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...docs].filter((name) => name.endsWith('.md'));
}
