/**
 * Collects the licences of third-party packages in the bundles as one text. The licences require this on
 * redistribution.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param metafiles esbuild's metafiles
 * @param root folder that their paths are relative to
 */
export function thirdPartyLicenses(metafiles, root) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
  );
  // The last `node_modules/` of a path: packages can be nested.
  const folders = new Set(inputs.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean));
  const texts = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    texts.set(`${name} ${version}`, `${name} ${version} (${license})\n\n${licenseText(join(root, folder))}`);
  }
  return `${[...texts.keys()]
    .sort()
    .map((key) => texts.get(key))
    .join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function licenseText(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file ? readFileSync(join(folder, file), 'utf8').trim() : 'The package carries no licence text of its own.';
}
