/** Writes files with user-supplied names. */
import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { cannotWrite, systemErrorText, TopoBenchError } from '@topo-bench/core';
import { makeFolder } from '@topo-bench/results';

/** @throws TopoBenchError `TB_FILE_NOT_WRITABLE` */
export async function writeNamedFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content).catch((cause: unknown) => {
    throw cannotWrite(path, cause, 'name a file in an existing folder that you may write to');
  });
}

/**
 * Writes a file and the folders of its path that are missing.
 * @throws TopoBenchError `TB_FILE_NOT_WRITABLE`
 */
export async function writeFileAndFolders(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path)).catch((cause: unknown) => {
    throw cannotWrite(path, cause, 'name a file that you may write to');
  });
  await writeNamedFile(path, text);
}

/**
 * Checks the place of a file before the work for it, which may take minutes.
 * @param flag as it was written
 * @param example of a file name
 * @throws TopoBenchError `TB_USAGE`
 */
export async function requireWritable(flag: string, path: string, example: string): Promise<void> {
  const hint = 'name a file that you may write to';
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() || path.endsWith('/')) {
    throw new TopoBenchError('TB_USAGE', `${flag}: got a folder, expected a file`, {
      hint: `name a file in it: ${path.replace(/\/+$/, '')}/${example}`,
    });
  }
  const place = found ? path : await nearestExisting(dirname(resolve(path)));
  if (!found && !(await stat(place)).isDirectory())
    throw new TopoBenchError('TB_USAGE', `${flag}: ${place} is a file, expected a folder`, { hint });
  await access(place, constants.W_OK).catch((cause: unknown) => {
    throw new TopoBenchError('TB_USAGE', `${flag}: cannot write there: ${systemErrorText(cause)}`, { hint, cause });
  });
}

/** The path itself, or the first of the folders above it that exists. */
async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  );
  return exists || path === dirname(path) ? path : nearestExisting(dirname(path));
}
