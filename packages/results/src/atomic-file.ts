/**
 * Replaces files atomically: writes a temporary file next to the target, flushes it to the disk, then renames it. After
 * a crash the target has its old or its new content. Leftover temporary files are removed when a run is resumed.
 */
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderError } from './folder-error.ts';

const temporary = /^\..+\.tmp$/;

/**
 * @param mode of the file; that of a file that is replaced is lost
 * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`, …; the old version is untouched then
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const temp = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    const file = await open(temp, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temp, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temp, { force: true }).catch(() => undefined);
    throw folderError('write', path, error);
  }
}

/** Removes temporary files of interrupted writes from a folder. Requires the lock of the run. */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  try {
    for (const entry of await readdir(folder)) {
      if (temporary.test(entry)) await rm(join(folder, entry), { force: true });
    }
  } catch (error) {
    throw folderError('clean', folder, error);
  }
}

/** A rename is durable only once its folder is flushed. Errors are ignored: some systems cannot flush a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
