/** What the system answers when it has no more of something to give: processes, open files or memory. */
const codes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

export const moreResources =
  'raise the limits on open files and processes (ulimit -n, ulimit -u), free memory, or deploy fewer services';

export function isSystemRefusal(error: NodeJS.ErrnoException): boolean {
  return codes.has(error.code ?? '');
}
