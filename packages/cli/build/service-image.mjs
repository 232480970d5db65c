/** Lists the files of the service image, and copies its Dockerfile next to them: `dist/image/`. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Programs of the image that are modules. */
const moduleEntries = ['connector.js', 'converter.js', 'exporter.js', 'load-worker.js', 'prepare-stores.js'];

/**
 * @param root of the checkout
 * @param folder output folder, with all other files already in it
 * @param modules esbuild's metafile of the modules
 * @param besideModules names of files that modules load from their own folder
 */
export async function layServiceImage(root, folder, modules, besideModules) {
  const { version } = JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8'));
  const service = await readdir(join(folder, 'service'));
  const files = [
    'service.cjs',
    ...service.map((name) => `service/${name}`),
    ...new Set(moduleEntries.flatMap((name) => modulesOf(name, modules))),
    ...besideModules,
    'THIRD-PARTY-LICENSES.txt',
    'image/health.cjs',
  ].sort();
  await cp(join(root, 'packages/cli/image'), join(folder, 'image'), { recursive: true });
  await writeFile(join(folder, 'image/image.json'), `${JSON.stringify({ version, files }, undefined, 2)}\n`);
}

/** @returns names of a module and of all modules that it loads, now or later */
function modulesOf(name, { outputs }) {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const found = new Set([name]);
  for (const module of found) {
    for (const { path, external } of byName.get(module).imports) if (!external) found.add(basename(path));
  }
  return [...found];
}
