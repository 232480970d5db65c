/**
 * Files that are either the old or the new version, whatever happens in between: written beside their place, flushed to the
 * disk, then renamed over it. What a crash leaves behind has a name of its own and is removed when a run is opened again.
 */
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderError } from './folder-error.ts';

const temporary = /^\..+\.tmp$/;

/** @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`, …; the old version is untouched then */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temp = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    const file = await open(temp, 'w');
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

/** Removes what interrupted writes left in a folder. One writer at a time: call it while holding the lock. */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  try {
    for (const entry of await readdir(folder)) {
      if (temporary.test(entry)) await rm(join(folder, entry), { force: true });
    }
  } catch (error) {
    throw folderError('clean', folder, error);
  }
}

/** A rename is on the disk only when its folder is. Some systems cannot flush a folder: then the rename is all there is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
