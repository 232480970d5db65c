/**
 * `compose/<topology>/` and `k8s/<topology>/`: the shipped topologies as `topo-bench generate` writes them, without
 * their secrets.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { committedFiles } from '../../src/commands/generate/project-folder.ts';
import { projectOf } from '../../src/commands/generate/project-of.ts';
import { type TargetName, targets } from '../../src/commands/generate/targets.ts';
import { readGraph } from '../../src/read-graph.ts';
import type { GeneratedFile } from './generator.ts';

interface Folder {
  /** At the root of the repository. */
  path: string;
  leftOut: readonly string[];
}

/** `large` is larger than one machine can run; a test generates it. The others need database servers. */
const folders: Readonly<Partial<Record<TargetName, Folder>>> = {
  compose: { path: 'compose', leftOut: ['large'] },
  kubernetes: { path: 'k8s', leftOut: ['large', 'persistence-study', 'queries'] },
};

export async function deploymentProjects(root: string): Promise<GeneratedFile[]> {
  const names = readdirSync(join(root, 'topologies')).flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? []);
  const files: GeneratedFile[] = [];
  for (const [target, { path, leftOut }] of Object.entries(folders)) {
    for (const name of names.filter((one) => !leftOut.includes(one))) {
      files.push(...(await projectFiles(root, target as TargetName, path, name)));
    }
    files.push(...staleFiles(root, path, files));
  }
  return files;
}

async function projectFiles(
  root: string,
  name: TargetName,
  folder: string,
  topology: string,
): Promise<GeneratedFile[]> {
  const graph = await readGraph(join(root, 'topologies', `${topology}.yaml`));
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
