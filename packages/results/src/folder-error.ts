/** Maps errors of the operating system on a run folder to errors with a hint. */
import { type ErrorCode, systemErrorText, TopoBenchError } from '@topo-bench/core';

const codeOf: Record<string, ErrorCode> = {
  ENOSPC: 'TB_RUN_FOLDER_DISK_FULL',
  EDQUOT: 'TB_RUN_FOLDER_DISK_FULL',
  EACCES: 'TB_RUN_FOLDER_NOT_WRITABLE',
  EPERM: 'TB_RUN_FOLDER_NOT_WRITABLE',
  EROFS: 'TB_RUN_FOLDER_NOT_WRITABLE',
  ENOTDIR: 'TB_RUN_FOLDER_NOT_A_FOLDER',
  EEXIST: 'TB_RUN_FOLDER_NOT_A_FOLDER',
  ENOENT: 'TB_RUN_FOLDER_NOT_FOUND',
};

const hintOf: Partial<Record<ErrorCode, string>> = {
  TB_RUN_FOLDER_DISK_FULL:
    'finished repetitions are kept; free some space, then continue with `topo-bench run --resume DIR`',
  TB_RUN_FOLDER_NOT_WRITABLE: 'choose another folder with --out, or change the permissions of this one',
  TB_RUN_FOLDER_NOT_A_FOLDER: 'a file has this name: choose another folder, or remove the file',
};

/**
 * Wraps an error of `node:fs`; returns a `TopoBenchError` unchanged.
 * @param action verb of the message, after "cannot": `write`, `read`, `create`
 */
export function folderError(action: string, path: string, cause: unknown): TopoBenchError {
  if (cause instanceof TopoBenchError) return cause;
  const { code: errno } = cause as NodeJS.ErrnoException;
  const code = codeOf[errno ?? ''] ?? 'TB_RUN_FOLDER_IO';
  const hint = hintOf[code];
  return new TopoBenchError(
    code,
    `cannot ${action} ${path}: ${systemErrorText(cause)}`,
    hint === undefined ? { cause } : { cause, hint },
  );
}
