/**
 * The shipped topologies as `topo-bench generate` writes them, without their secrets. Some are committed in
 * `compose/<topology>/` and `k8s/<topology>/`, to be read and copied. The others have one line each in a file of
 * digests, so that a change of what `generate` writes shows up for them too.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openTopology } from '@topo-bench/workbench/open-topology';
import { committedFiles } from '../../src/commands/generate/project-folder.ts';
import { projectOf } from '../../src/commands/generate/project-of.ts';
import { type TargetName, targets } from '../../src/commands/generate/targets.ts';
import type { GeneratedFile } from './generator.ts';

const committed: readonly string[] = ['quickstart', 'gdpr-mail-order', 'routing-study'];
const digestFile = 'packages/cli/build/generators/project-digests.txt';

interface Folder {
  /** At the root of the repository. */
  path: string;
  /** `large` is larger than one machine can run; a test generates it. The others need database servers. */
  leftOut: readonly string[];
}

const folders: Readonly<Partial<Record<TargetName, Folder>>> = {
  compose: { path: 'compose', leftOut: ['large'] },
  kubernetes: { path: 'k8s', leftOut: ['large', 'persistence-study', 'queries'] },
};

export async function deploymentProjects(root: string): Promise<GeneratedFile[]> {
  const names = readdirSync(join(root, 'topologies')).flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? []);
  const files: GeneratedFile[] = [];
  const digests: string[] = [];
  for (const [target, { path, leftOut }] of Object.entries(folders)) {
    for (const name of names.filter((one) => !leftOut.includes(one))) {
      const project = await projectFiles(root, target as TargetName, path, name);
      if (committed.includes(name)) files.push(...project);
      else digests.push(`${digestOf(project)}  ${path}/${name}\n`);
    }
    files.push(...staleFiles(root, path, files));
  }
  return [...files, { path: digestFile, content: digests.join('') }];
}

/** SHA-256 of paths and texts. */
function digestOf(files: readonly GeneratedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, content } of files) hash.update(JSON.stringify([path, content]));
  return hash.digest('hex');
}

async function projectFiles(
  root: string,
  name: TargetName,
  folder: string,
  topology: string,
): Promise<GeneratedFile[]> {
  const { graph } = await openTopology(join(root, 'topologies', `${topology}.yaml`));
  const command = `topo-bench generate ${topology} --target ${name} --out .`;
  const files = committedFiles((await targets[name].load()).files(projectOf(graph, command)));
  return files.map(({ path, text }) => ({ path: `${folder}/${topology}/${path}`, content: text }));
}

/** Files of earlier projects. Secrets of a checkout stay. */
function staleFiles(root: string, folder: string, files: readonly GeneratedFile[]): GeneratedFile[] {
  const current = new Set(files.map(({ path }) => path));
  return foundFiles(join(root, folder))
    .map((path) => relative(root, path))
    .filter((path) => !current.has(path))
    .map((path) => ({ path, content: undefined }));
}

function foundFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.includes('/secrets/'));
}
