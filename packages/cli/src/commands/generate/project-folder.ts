/**
 * The folder of a generated project. A list in it names the files that generate wrote: only those are overwritten, and
 * removed when they are no longer part of the project.
 */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cannotWrite, TopoBenchError } from '@topo-bench/core';
import type { ManifestFile } from '@topo-bench/deployment/manifests';
import { makeFolder } from '@topo-bench/results/make-folder';
import { secretPath } from './project-secret.ts';

const listPath = 'generated-files.txt';
const listHead = '# Written by topo-bench generate, which overwrites and removes only the files listed here.';
const secretsFolder = dirname(secretPath);

export interface FileChange extends ManifestFile {
  change: 'new' | 'changed' | 'unchanged' | 'removed';
}

/** With the list of them and the file that keeps secrets out of git. */
export function committedFiles(files: readonly ManifestFile[]): ManifestFile[] {
  const all = [...files, { path: '.gitignore', text: `/${secretsFolder}/\n` }];
  const paths = all.map(({ path }) => path).sort();
  return [...all, { path: listPath, text: `${[listHead, ...paths].join('\n')}\n` }];
}

/**
 * Compares the files of a project with those in its folder.
 * @throws TopoBenchError `TB_FILE_EXISTS` when a file with another text was not written by generate, unless `force`
 */
export async function changesOf(
  folder: string,
  files: readonly ManifestFile[],
  { force }: { force: boolean },
): Promise<FileChange[]> {
  const listed = await readList(folder);
  const changes = await Promise.all(files.map((file) => changeOf(folder, file)));
  const foreign = changes.filter(({ path, change }) => change === 'changed' && path !== listPath && !listed.has(path));
  if (foreign.length > 0 && !force) throw existsError(folder, foreign);
  const current = new Set(files.map(({ path }) => path));
  const stale = [...listed].filter((path) => !current.has(path));
  return [...changes, ...stale.map((path) => ({ path, text: '', change: 'removed' as const }))];
}

/** Secrets have a folder of their own: if it has the secret of the project, generate wrote it. */
export async function changesOfSecrets(folder: string, files: readonly ManifestFile[]): Promise<FileChange[]> {
  return Promise.all(files.map((file) => changeOf(folder, file)));
}

/** @throws TopoBenchError `TB_FILE_NOT_WRITABLE` */
export async function writeChanges(folder: string, changes: readonly FileChange[]): Promise<void> {
  for (const { path, text, change } of changes) {
    if (change === 'removed') await writing(folder, () => rm(join(folder, path), { force: true }));
    else if (change !== 'unchanged') await writing(folder, () => write(join(folder, path), text));
  }
}

/** @param mode of all files but the secret of the project @throws TopoBenchError `TB_FILE_NOT_WRITABLE` */
export async function writeSecrets(folder: string, changes: readonly FileChange[], mode: number): Promise<void> {
  await writing(folder, async () => {
    await mkdir(join(folder, secretsFolder), { recursive: true, mode: 0o700 });
    await chmod(join(folder, secretsFolder), 0o700);
    for (const { path, text } of changes) {
      const fileMode = path === secretPath ? 0o600 : mode;
      await write(join(folder, path), text, fileMode);
      // The mode of an existing file, and of a new one whatever the mask of the process.
      await chmod(join(folder, path), fileMode);
    }
  });
}

async function write(path: string, text: string, mode?: number): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, text, mode === undefined ? {} : { mode });
}

async function changeOf(folder: string, file: ManifestFile): Promise<FileChange> {
  const current = await readOptional(join(folder, file.path));
  if (current === undefined) return { ...file, change: 'new' };
  return { ...file, change: current === file.text ? 'unchanged' : 'changed' };
}

/** Paths of the files that generate wrote; empty without a list. */
async function readList(folder: string): Promise<Set<string>> {
  const text = await readOptional(join(folder, listPath));
  if (text === undefined || !text.startsWith(listHead)) return new Set();
  const paths = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  // A changed list must not lead out of the folder.
  return new Set(paths.filter((path) => !path.startsWith('/') && !path.split('/').includes('..')));
}

async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cannotWrite(path, error);
  }
}

async function writing(folder: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(error.path ?? folder, error);
  });
}

function existsError(folder: string, files: readonly FileChange[]): TopoBenchError {
  const names = files.map(({ path }) => path).join(', ');
  return new TopoBenchError(
    'TB_FILE_EXISTS',
    `generate does not overwrite files of others in ${folder}: got ${names}`,
    {
      hint: 'choose another folder, or add --force',
    },
  );
}
