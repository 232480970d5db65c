/** Saved baselines: the two files of a run folder that a gate reads, without samples, small enough to cache between CI jobs. */
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { writeFileAtomically } from './atomic-file.ts';
import { folderError } from './folder-error.ts';
import { makeFolder } from './make-folder.ts';
import { openRun } from './run-folder.ts';
import { cellsFileName, encodeCell, encodeRunRecord, joinCells, runFileName } from './run-json.ts';

/** Where names without a slash live, relative to the working directory. */
const baselinesFolder = join('.topo-bench', 'baselines');

/** A plain name is one below `baselinesFolder`, everything else a path. */
export function baselinePath(nameOrFolder: string): string {
  return /^[\w-][\w.-]*$/.test(nameOrFolder) ? join(baselinesFolder, nameOrFolder) : nameOrFolder;
}

/**
 * Reads a baseline: a saved one by its name, else a run folder.
 * @returns undefined when there is neither
 * @throws TopoBenchError what `openRun` throws about a folder that is there
 */
export async function openBaseline(nameOrFolder: string): Promise<RunFolder | undefined> {
  for (const folder of new Set([baselinePath(nameOrFolder), nameOrFolder])) {
    const found = await stat(folder).catch(() => undefined);
    if (found) return openRun(folder);
  }
  return undefined;
}

/**
 * Saves what a gate needs of a run. Either the old baseline or the new one is there: the files are written beside and moved in as a folder.
 * @returns the folder
 * @throws TopoBenchError `TB_FILE_EXISTS` when something other than a saved baseline is in the way; `TB_RUN_FOLDER_…` for the system's refusals
 */
export async function saveBaseline(run: RunFolder, nameOrFolder: string): Promise<string> {
  const folder = baselinePath(nameOrFolder).replace(/\/+$/, '');
  const replaces = await requireReplaceable(folder);
  await makeFolder(dirname(folder));
  const staging = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`)).catch((error: unknown) => {
    throw folderError('create', folder, error);
  });
  const incoming = join(staging, 'new');
  const outgoing = join(staging, 'old');
  try {
    await makeFolder(incoming);
    await writeFileAtomically(join(incoming, runFileName), encodeRunRecord(run.record));
    await writeFileAtomically(join(incoming, cellsFileName), joinCells(run.cells.map(withoutSamples).map(encodeCell)));
    if (replaces) await rename(folder, outgoing);
    await rename(incoming, folder).catch(async (error: unknown) => {
      if (replaces) await rename(outgoing, folder);
      throw error;
    });
  } catch (error) {
    throw folderError('write', folder, error);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return folder;
}

function withoutSamples({ samples: _samples, ...cell }: RunFolder['cells'][number]): RunFolder['cells'][number] {
  return cell;
}

/** Whether a saved baseline is there to be replaced. A run folder with samples, or anything else, is never overwritten. */
async function requireReplaceable(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw folderError('open', folder, error);
  });
  if (entries === undefined) return false;
  if (entries.every((entry) => entry === runFileName || entry === cellsFileName)) return true;
  throw new TopoBenchError('TB_FILE_EXISTS', `${folder} holds more than a saved baseline, and is left as it is`, {
    hint: 'choose another name or folder for --save-baseline',
  });
}
