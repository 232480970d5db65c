/** Files that are read in parts, or more than once. A pipe would be waited for. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` */
export async function openRegularFile(path: string, hint: string): Promise<{ handle: FileHandle; size: number }> {
  try {
    const { size } = await requireRegular(path);
    return { handle: await open(path, 'r'), size };
  } catch (cause) {
    const message = `cannot open ${path}: ${systemErrorText(cause)}`;
    throw new TopoBenchError('TB_FILE_NOT_FOUND', message, { hint, cause });
  }
}

async function requireRegular(path: string): Promise<{ size: number }> {
  const found = await stat(path);
  if (found.isFile()) return found;
  throw new Error('it is not a regular file');
}
