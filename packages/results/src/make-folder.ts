/**
 * Creates a folder with its parents, one by one, to report the true cause of a failure. The recursive mkdir of Node.js
 * reports "no such file" on a read-only file system. It never returns when the system reports that error for a folder
 * whose parent exists (/proc).
 */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { folderError } from './folder-error.ts';

/**
 * Modes of a run folder and of its files, of logs above all: they contain what user-supplied programs print. The page
 * is left out, since it is written to be passed on.
 */
export const privateFolder = 0o700;
export const privateFile = 0o600;

/**
 * @param mode of the folder itself when it is created; its new parents have the default
 * @throws TopoBenchError `TB_RUN_FOLDER_NOT_A_FOLDER`, `TB_RUN_FOLDER_NOT_WRITABLE`, `TB_RUN_FOLDER_DISK_FULL`
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await stat(path).catch(() => undefined)); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    await mkdir(path, path === resolve(folder) ? mode : 0o777).catch((error: NodeJS.ErrnoException) => {
      // Another process created it in the meantime.
      if (error.code === 'EEXIST') return;
      if (error.code !== 'ENOENT') throw folderError('create', folder, error);
      throw new TopoBenchError(
        'TB_RUN_FOLDER_NOT_WRITABLE',
        `cannot create ${folder}: the system does not allow the folder ${path}`,
        {
          hint: 'choose another folder with --out',
          cause: error,
        },
      );
    });
  }
}
