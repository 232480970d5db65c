/** Keeps the figures and samples of a superseded measurement. They are not part of any figure of the run. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Cell, DiscardedMeasurement } from '@topo-bench/core/schema/result';
import { folderError } from './folder-error.ts';
import { makeFolder } from './make-folder.ts';
import { pathInRun } from './path-in-run.ts';
import { discardedFolderName } from './run-name.ts';

/**
 * Copies the samples of the measurement to the folder of discarded samples. The caller removes the originals once an
 * entry refers to the copy: after a crash, either entry has its samples.
 * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`, …
 */
export async function keepSuperseded(folder: string, measurement: Cell): Promise<DiscardedMeasurement> {
  const { startedAt, achievedRps, rtt, responseTime, schedulerLag, resources, validity, samples } = measurement;
  const figures = {
    ...(startedAt !== undefined && { startedAt }),
    ...{ achievedRps, rtt, responseTime, schedulerLag },
    ...(resources.host && { host: resources.host }),
    validity,
  };
  if (samples === undefined) return figures;
  const kept = `${discardedFolderName}/${basename(samples)}`;
  await makeFolder(join(folder, discardedFolderName));
  try {
    await copyFile(pathInRun(folder, samples), pathInRun(folder, kept));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return figures;
    throw folderError('write', join(folder, kept), error);
  }
  return { ...figures, samples: kept };
}
