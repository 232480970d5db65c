/** Saved baselines: a run folder without samples, small enough to cache between CI jobs. */
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { writeFileAtomically } from './atomic-file.ts';
import { folderError } from './folder-error.ts';
import { makeFolder, privateFile, privateFolder } from './make-folder.ts';
import { openRun } from './run-folder.ts';
import { cellsFileName, encodeCell, encodeRunRecord, joinCells, runFileName } from './run-json.ts';

/** Folder of named baselines, relative to the working directory. */
const baselinesFolder = join('.topo-bench', 'baselines');

/** Path of a baseline: a plain name is below `baselinesFolder`, any other text is a path. */
export function baselinePath(nameOrFolder: string): string {
  return /^[\w-][\w.-]*$/.test(nameOrFolder) ? join(baselinesFolder, nameOrFolder) : nameOrFolder;
}

/**
 * Reads a saved baseline by name, else a run folder.
 * @returns undefined when neither exists
 * @throws TopoBenchError as `openRun`, for a folder that exists
 */
export async function openBaseline(nameOrFolder: string): Promise<RunFolder | undefined> {
  for (const folder of new Set([baselinePath(nameOrFolder), nameOrFolder])) {
    const found = await stat(folder).catch(() => undefined);
    if (found) return openRun(folder);
  }
  return undefined;
}

/**
 * Saves the files of a run that a gate needs. The files are written to a staging folder, which then replaces the old
 * baseline as a whole.
 * @returns path of the baseline
 * @throws TopoBenchError `TB_FILE_EXISTS` when the path exists and is not a saved baseline; `TB_RUN_FOLDER_…` for
 *   errors of the file system
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
    await makeFolder(incoming, privateFolder);
    await writeFileAtomically(join(incoming, runFileName), encodeRunRecord(run.record), privateFile);
    const cells = run.cells.map(withoutSamples).map(encodeCell);
    await writeFileAtomically(join(incoming, cellsFileName), joinCells(cells), privateFile);
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

/**
 * Whether a saved baseline exists and will be replaced. Run folders with samples and other files are never overwritten.
 */
async function requireReplaceable(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw folderError('open', folder, error);
  });
  if (entries === undefined) return false;
  if (entries.every((entry) => entry === runFileName || entry === cellsFileName)) return true;
  throw new TopoBenchError(
    'TB_FILE_EXISTS',
    `cannot replace ${folder}: it contains other files than a saved baseline`,
    {
      hint: 'choose another name or folder for --save-baseline',
    },
  );
}
