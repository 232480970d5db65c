/** Error codes of exhausted system resources: processes, open files or memory. */
const codes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

export const moreResources =
  'raise the limits on open files and processes (ulimit -n, ulimit -u), free memory, or deploy fewer services';

export function isSystemRefusal(error: NodeJS.ErrnoException): boolean {
  return codes.has(error.code ?? '');
}
