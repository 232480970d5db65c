/**
 * Removes files that a crash left in a run folder: temporary files, and samples without an entry. Requires the lock.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { removeTemporaryFiles } from './atomic-file.ts';
import { pathInRun } from './path-in-run.ts';
import { discardedFolderName, samplesFolderName } from './run-name.ts';

/** @param cells every entry of the run */
export async function removeUnfinishedFiles(folder: string, cells: readonly Cell[]): Promise<void> {
  await removeTemporaryFiles(folder);
  await removeTemporaryFiles(join(folder, samplesFolderName));
  await removeUnfinishedSamples(folder, cells);
}

/** Samples without an entry belong to an interrupted repetition. The pattern `samples/*.parquet` would match them. */
async function removeUnfinishedSamples(folder: string, cells: readonly Cell[]): Promise<void> {
  const named = new Set(cells.flatMap((cell) => [cell, ...(cell.discarded ?? [])].map(({ samples }) => samples)));
  for (const within of [samplesFolderName, discardedFolderName]) {
    const names = await readdir(pathInRun(folder, within)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names) {
      const file = `${within}/${name}`;
      if (name.endsWith('.parquet') && !named.has(file)) await rm(join(folder, file));
    }
  }
}
