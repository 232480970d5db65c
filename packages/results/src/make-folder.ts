/**
 * Creates a folder with its parents, and says truly why not. One by one: Node.js's recursive mkdir says "no such file" on a
 * read-only file system, and never returns where the system says so of a folder whose parent is there (/proc).
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
      // Another process was faster.
      if (error.code === 'EEXIST') return;
      if (error.code !== 'ENOENT') throw folderError('create', folder, error);
      throw new TopoBenchError(
        'TB_RUN_FOLDER_NOT_WRITABLE',
        `cannot create ${folder}: the system makes no folder ${path}`,
        {
          hint: 'choose another folder with --out',
          cause: error,
        },
      );
    });
  }
}
