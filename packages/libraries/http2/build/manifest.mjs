/**
 * Prepares the package in the current folder for `npm pack`, and restores it. In the workspace `exports` name
 * TypeScript sources; in a tarball they name what `npm run build` made of them.
 *
 * Usage: node manifest.mjs publish|restore
 */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const licence = join(import.meta.dirname, '../../../../LICENSE');
const saved = 'dist/package.json.source';

function publish() {
  const source = readFileSync('package.json', 'utf8');
  const manifest = JSON.parse(source);
  for (const [entry, path] of Object.entries(manifest.exports)) {
    const built = path.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1');
    manifest.exports[entry] = { types: `${built}.d.ts`, default: `${built}.js` };
  }
  delete manifest.scripts;
  writeFileSync(saved, source);
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(licence, 'LICENSE');
}

function restore() {
  if (existsSync(saved)) renameSync(saved, 'package.json');
  rmSync('LICENSE', { force: true });
}

if (process.argv[2] === 'publish') publish();
else restore();
