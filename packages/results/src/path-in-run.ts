/**
 * Resolves paths that the files of a run folder contain. Run folders are untrusted input. A path to another place would
 * be read by reports, and copied and deleted by resumed runs.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';

/**
 * Path of a file of the run. The file need not exist.
 * @param path relative to the folder, as in `cells.json`
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED` when it leads out of the folder, directly or through a symbolic link
 */
export function pathInRun(folder: string, path: string): string {
  const joined = join(folder, path);
  if (isAbsolute(path) || !isInside(folder, joined)) throw outside(folder, path);
  const target = realPath(joined);
  if (target === undefined || !isInside(realpathSync(folder), target)) throw outside(folder, path);
  return joined;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with all links resolved, also for a file that does not exist; undefined for a dangling link. */
function realPath(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })) return existsSync(path) ? realpathSync(path) : undefined;
  const parent = realPath(dirname(path));
  return parent === undefined ? undefined : join(parent, basename(path));
}

function outside(folder: string, path: string): TopoBenchError {
  return new TopoBenchError(
    'TB_RUN_FOLDER_DAMAGED',
    `${folder} contains the path ${JSON.stringify(path)}, expected a path inside it`,
    {
      hint: 'keep the files of a run in its own folder, without symbolic links to other places',
    },
  );
}
