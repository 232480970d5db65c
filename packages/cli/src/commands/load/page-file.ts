/** The file of `load --html`: checked before the load, and its errors afterwards. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';

/**
 * Checks that the page can be written, so that no load is spent on one that cannot.
 * @throws TopoBenchError `TB_USAGE`
 */
export async function requirePageFile(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw usage(path, 'got a folder, expected a file', `name a file in it: ${path}/load.html`);
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw usage(path, `there is no folder ${folder}, expected an existing one`, 'create it, or name another file');
  }
  await access(found ? path : folder, constants.W_OK).catch((cause: unknown) => {
    throw usage(path, `cannot write there: ${systemErrorText(cause)}`, 'name a file that you may write to');
  });
}

function usage(path: string, problem: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', `--html ${path}: ${problem}`, { hint });
}

/** The error of a page that was not written: `TB_FILE_NOT_WRITABLE` for files; others are unchanged. */
export function pageError(path: string, cause: unknown): unknown {
  const isOfRun = cause instanceof TopoBenchError && cause.code.startsWith('TB_RUN_FOLDER_');
  if (!isOfRun && (cause as NodeJS.ErrnoException).errno === undefined) return cause;
  const text = isOfRun ? cause.message : systemErrorText(cause);
  return new TopoBenchError('TB_FILE_NOT_WRITABLE', `--html ${path}: the page is not written: ${text}`, {
    hint: 'the figures above are complete; before the next load, free some space or name another file',
    cause,
  });
}
