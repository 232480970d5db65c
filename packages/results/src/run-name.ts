/** Names of run folders and of the files in them. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repetitionKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';

export const samplesFolderName = 'samples';
/** A folder of its own: patterns such as `samples/*.parquet` must not match discarded samples. */
export const discardedFolderName = `${samplesFolderName}/discarded`;

/** `runs/<name>-<timestamp>`, as `timedPath` makes it free. */
export function defaultRunFolder(name: string, now: Date): string {
  return timedPath(join('runs', name), now);
}

/** A path with a UTC timestamp to the second, which sorts by time. One that exists gets a number from 2. */
export function timedPath(start: string, now: Date, extension = ''): string {
  const path = `${start}-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`;
  for (let [number, free] = [2, path + extension]; ; free = `${path}-${number++}${extension}`) {
    if (!existsSync(free)) return free;
  }
}

/**
 * Path of a repetition's samples, relative to the run folder. The levels make it readable, a hash makes it unique:
 * levels may be cut or contain characters that file names cannot.
 * @param measurement number of the measurement, from 1; above 1 for remeasured repetitions
 */
export function samplesPath(factors: FactorLevels, repetition: number, measurement = 1): string {
  const hash = createHash('sha256').update(repetitionKey(factors, repetition)).digest('hex').slice(0, 8);
  const place = measurement === 1 ? `r${repetition}` : `r${repetition}.${measurement}`;
  return `${samplesFolderName}/${[levelsName(factors), place, hash].filter(Boolean).join('_')}.parquet`;
}

/** Levels as a readable name of a file or folder. Long names are cut, hence not unique. */
export function levelsName(factors: FactorLevels): string {
  return Object.values(factors)
    .map((level) => String(level).replace(/[^A-Za-z0-9.-]+/g, '-'))
    .join('_')
    .slice(0, 80);
}
