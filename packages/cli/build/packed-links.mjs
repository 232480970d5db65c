/**
 * Links of the packed Markdown files. Pages that show a package, such as a registry's, do not have its other files.
 * Links therefore lead to the repository where its address is known; otherwise to the files in the package.
 */
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';

/**
 * @param root folder of the checkout
 * @returns address of the commit's files, such as `https://host/owner/name/blob/<commit>`; undefined when `origin` is
 *   no public host
 */
export function repositoryFiles(root) {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const [, host, path] =
    /^(?:https:\/\/|git@|ssh:\/\/git@)(?:[^@/]*@)?([\w.-]+\.\w+)[:/](.+?)(?:\.git)?\/?$/.exec(
      git('remote', 'get-url', 'origin'),
    ) ?? [];
  return host && `https://${host}/${path}/blob/${git('rev-parse', 'HEAD')}`;
}

/**
 * @param text Markdown
 * @param file its path in the checkout
 * @param files result of `repositoryFiles`; undefined leaves the text as it is
 */
export function withAbsoluteLinks(text, file, files) {
  if (!files) return text;
  return text.replace(
    /(\]\()(?!#|[a-z]+:)([^)\s]+)(?=\))/g,
    (_, open, target) => `${open}${files}/${posix.join(posix.dirname(file), target)}`,
  );
}
