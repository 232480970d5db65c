/** Finds the shipped topologies, rules, experiments, calibrations and clusters by name from any working directory. */
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearestName, TopoBenchError } from '@topo-bench/core';

export type ShippedKind = 'topologies' | 'rules' | 'experiments' | 'calibrations' | 'clusters';

const schemas = 'docs/schema';
const extensions = ['', '.yaml', '.yml', '.json'];

/**
 * Resolves a user-supplied path, or the name of a shipped file: `quickstart` finds `experiments/quickstart.yaml`.
 * @returns absolute path of an existing file
 * @throws TopoBenchError `TB_FILE_NOT_FOUND` with the nearest shipped name or all of them as hint, or for a folder with
 *   the file to name
 */
export async function findFile(kind: ShippedKind, name: string): Promise<string> {
  const own = resolve(name);
  if (isFile(own)) return own;
  const folder = shippedFolder(kind);
  // A bare name only: `../x` must not leave the shipped folder.
  if (folder && /^[\w.-]+$/.test(name)) {
    for (const extension of extensions) {
      const path = join(folder, name + extension);
      if (isFile(path)) return path;
    }
  }
  if (isFolder(own)) throw folderError(kind, name);
  const names = await shippedNames(kind);
  const nearest = nearestName(name, names);
  const shipped = names.length > 0 ? `shipped: ${names.join(', ')}` : 'check the path';
  throw new TopoBenchError('TB_FILE_NOT_FOUND', `no file ${name}, and no shipped ${singular[kind]} of that name`, {
    hint: nearest === undefined ? shipped : `did you mean "${nearest}"?`,
  });
}

/** For example the folder that `init` wrote. */
function folderError(kind: ShippedKind, name: string): TopoBenchError {
  const file = join(name, `${fileNames[kind]}.yaml`);
  const hint = isFile(resolve(file)) ? `name the file in it: ${file}` : `name the file of the ${singular[kind]}`;
  return new TopoBenchError('TB_FILE_NOT_FOUND', `cannot read ${name}: it is a folder, a file is needed`, { hint });
}

/** Names that `findFile` finds, without extension. */
async function shippedNames(kind: ShippedKind): Promise<string[]> {
  const folder = shippedFolder(kind);
  if (!folder) return [];
  const files = (await readdir(folder)).filter((file) => /\.ya?ml$/.test(file));
  return files.map((file) => file.replace(/\.ya?ml$/, '')).sort();
}

/** Folder with the JSON Schemas of topology, rule and experiment files; undefined in an incomplete installation. */
export function schemaFolder(): string | undefined {
  return shippedFolder(schemas);
}

const singular: Record<ShippedKind, string> = {
  topologies: 'topology',
  rules: 'rule set',
  experiments: 'experiment',
  calibrations: 'calibration',
  clusters: 'cluster',
};
/** As `init` names them. */
const fileNames: Record<ShippedKind, string> = {
  topologies: 'topology',
  rules: 'rules',
  experiments: 'experiment',
  calibrations: 'calibration',
  clusters: 'cluster',
};

/**
 * Searches upwards from this file. `dist/` of the package contains copies; a source checkout has the originals at its
 * root.
 */
export function shippedFolder(kind: ShippedKind | typeof schemas): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < 4; level++, folder = dirname(folder)) {
    if (existsSync(join(folder, kind)) && existsSync(join(folder, 'experiments'))) return join(folder, kind);
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
