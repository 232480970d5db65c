/**
 * Creates a folder with its parents, one by one, to report the true cause of a failure. The recursive mkdir of Node.js
 * reports "no such file" on a read-only file system. It never returns when the system reports that error for a folder
 * whose parent exists (/proc).
 */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { folderError } from './folder-error.ts';

/** @throws TopoBenchError `TB_RUN_FOLDER_NOT_A_FOLDER`, `TB_RUN_FOLDER_NOT_WRITABLE`, `TB_RUN_FOLDER_DISK_FULL` */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await stat(path).catch(() => undefined)); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
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
