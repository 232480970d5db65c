/** Finds run folders: those that are named, and those directly below a folder that is not a run itself. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';

/**
 * @returns paths in the given order, those below one folder by name, each once
 * @throws TopoBenchError `TB_RUN_FOLDER_NOT_FOUND` for a folder without any run
 */
export async function findRunFolders(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      if (await hasRecord(folder)) return [folder];
      const below = await runsBelow(folder);
      if (below.length > 0) return below;
      throw new TopoBenchError('TB_RUN_FOLDER_NOT_FOUND', `${folder} is no run folder, and no folder in it is one`, {
        hint: 'name run folders, or the folder that contains them, e.g. runs',
      });
    }),
  );
  return [...new Set(found.flat())];
}

/** Whether the folder contains run folders and is none itself. */
export async function isFolderOfRuns(folder: string): Promise<boolean> {
  return !(await hasRecord(folder)) && (await runsBelow(folder)).length > 0;
}

/** Paths of run folders directly below; empty where the folder cannot be read. */
async function runsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
    .sort();
  const are = await Promise.all(paths.map(hasRecord));
  return paths.filter((_, at) => are[at]);
}

function hasRecord(folder: string): Promise<boolean> {
  return stat(join(folder, 'run.json')).then(
    (found) => found.isFile(),
    () => false,
  );
}
