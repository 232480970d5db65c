/** Creates a folder with its parents, and says truly why not. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { folderError } from './folder-error.ts';

/** @throws TopoBenchError `TB_RUN_FOLDER_NOT_A_FOLDER`, `TB_RUN_FOLDER_NOT_WRITABLE`, `TB_RUN_FOLDER_DISK_FULL` */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw folderError('create', folder, isMissing(error) ? await trueReason(resolve(folder), error) : error);
  }
}

/** On a read-only file system, Node.js's recursive mkdir says "no such file": a plain one for the first missing parent tells. */
async function trueReason(folder: string, reported: unknown): Promise<unknown> {
  let missing = folder;
  while (dirname(missing) !== missing && !(await stat(dirname(missing)).catch(() => undefined))) missing = dirname(missing);
  return mkdir(missing).then(
    () => reported,
    (error: unknown) => error,
  );
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
