/** Errors of the operating system, also as databases report them: readable texts, and full disks. */
import { TopoBenchError } from './errors.ts';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, a file is needed',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many open files',
  EEXIST: 'it exists already',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the other side closed the connection',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved at present',
  EHOSTUNREACH: 'no route leads to the host',
  ENETUNREACH: 'no route leads to the network of the host',
  ETIMEDOUT: 'no answer in time',
};

/** Omits the name of the system call. An unknown error keeps its own message. */
export function systemErrorText(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return words[code ?? ''] ?? message;
}

/**
 * The error of a file that was not written, with a hint that fits the cause; our own errors keep their message.
 * @param placeHint what to choose instead, unless the disk is full
 */
export function cannotWrite(
  path: string,
  cause: unknown,
  placeHint = 'choose a place that you may write to',
): TopoBenchError {
  return new TopoBenchError('TB_FILE_NOT_WRITABLE', `cannot write ${path}: ${systemErrorText(cause)}`, {
    hint: reportsFullDisk(cause) ? 'free some space there, or choose another place' : placeHint,
    cause,
  });
}

/** Codes of PostgreSQL, MariaDB and MySQL, MongoDB, and the operating system. */
const diskFullCodes: ReadonlySet<unknown> = new Set([
  '53100',
  'ER_DISK_FULL',
  'ER_RECORD_FILE_FULL',
  14031,
  'ENOSPC',
  'EDQUOT',
]);

/** Whether it is our own error of a full disk, which ends a run. */
export function isDiskFullError(error: unknown): error is TopoBenchError {
  return error instanceof TopoBenchError && error.code.endsWith('_DISK_FULL');
}

/** Whether a driver, a server's log, the operating system or our own error reports a disk without space. */
export function reportsFullDisk(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (diskFullCodes.has(code) || isDiskFullError(error)) return true;
  // Some steps of MariaDB have codes of their own, with the text of the system.
  return /no space left on device/i.test(String(message));
}
