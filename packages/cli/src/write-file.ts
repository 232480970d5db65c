/** Writes files with user-supplied names. */
import { writeFile } from 'node:fs/promises';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';

/** @throws TopoBenchError `TB_FILE_NOT_WRITABLE` */
export async function writeNamedFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content).catch((cause: unknown) => {
    throw new TopoBenchError('TB_FILE_NOT_WRITABLE', `cannot write ${path}: ${systemErrorText(cause)}`, {
      hint: 'name a file in an existing folder that you may write to',
      cause,
    });
  });
}
