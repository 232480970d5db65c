/**
 * Paths that the files of a run folder name. A folder may come from another person: a path in it that leads elsewhere would be
 * read by a report, and copied and deleted by a run that goes on.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';

/**
 * The path of a file of the run, which need not exist.
 * @param path relative to the folder, as in `cells.json`
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED` when it leads out of the folder, by itself or over a symbolic link
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

/** With all links followed, also of a file that does not exist; undefined for a link to nothing. */
function realPath(path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })) return existsSync(path) ? realpathSync(path) : undefined;
  const parent = realPath(dirname(path));
  return parent === undefined ? undefined : join(parent, basename(path));
}

function outside(folder: string, path: string): TopoBenchError {
  return new TopoBenchError(
    'TB_RUN_FOLDER_DAMAGED',
    `${folder} names ${JSON.stringify(path)}, expected a path inside it`,
    {
      hint: 'files of a run are in its own folder, without symbolic links to other places',
    },
  );
}
