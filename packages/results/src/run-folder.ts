/**
 * Reads a run folder: the record of the run, the entries of finished repetitions, and the paths of their samples.
 * Reading takes no lock and changes nothing: reports can read a run that is still in progress.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { folderError } from './folder-error.ts';
import { pathInRun } from './path-in-run.ts';
import { readCells, readRunRecord, runFileName } from './run-json.ts';

/**
 * Reads and checks `run.json` and `cells.json`.
 * @throws TopoBenchError `TB_RUN_FOLDER_NOT_FOUND`, `…_NOT_A_FOLDER`, `…_DAMAGED`, `…_VERSION`
 */
export async function openRun(folder: string): Promise<RunFolder> {
  await requireRunFolder(folder);
  const run = { folder, record: await readRunRecord(folder), cells: await readCells(folder) };
  for (const cell of run.cells) {
    for (const { samples } of [cell, ...(cell.discarded ?? [])]) if (samples !== undefined) pathInRun(folder, samples);
  }
  return run;
}

/**
 * Path of the samples of a cell, or of a superseded measurement of it; undefined when it has none.
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED` when the path leads out of the run folder
 */
export function samplesOf(run: RunFolder, { samples }: Pick<Cell, 'samples'>): string | undefined {
  return samples === undefined ? undefined : pathInRun(run.folder, samples);
}

async function requireRunFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    throw folderError('open', folder, error);
  });
  if (!found.isDirectory()) {
    throw new TopoBenchError('TB_RUN_FOLDER_NOT_A_FOLDER', `${folder} is a file, expected a run folder`);
  }
  await stat(join(folder, runFileName)).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw folderError('open', folder, cause);
    throw new TopoBenchError('TB_RUN_FOLDER_NOT_FOUND', `${folder} is not a run folder: it has no ${runFileName}`, {
      hint: 'use the folder that `topo-bench run` printed, e.g. runs/quickstart-2025-01-31T09-30-00',
    });
  });
}
