/** Where results go by default, and what the files in a run folder are called. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { repetitionKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';

export const samplesFolderName = 'samples';
/** Beside the samples that count, so that a pattern such as `samples/*.parquet` does not count these. */
export const discardedFolderName = `${samplesFolderName}/discarded`;

/** `runs/<name>-<timestamp>`, the timestamp in UTC to the second, in an order that sorts by time. */
export function defaultRunFolder(name: string, now: Date): string {
  return join('runs', `${name}-${now.toISOString().slice(0, 19).replaceAll(':', '-')}`);
}

/**
 * Path of a repetition's samples, relative to the run folder: the levels for people, a hash for uniqueness (levels may hold
 * characters that file names cannot, or be cut).
 * @param measurement which one of the repetition, from 1: more than one where it was measured again
 */
export function samplesPath(factors: FactorLevels, repetition: number, measurement = 1): string {
  const hash = createHash('sha256').update(repetitionKey(factors, repetition)).digest('hex').slice(0, 8);
  const place = measurement === 1 ? `r${repetition}` : `r${repetition}.${measurement}`;
  return `${samplesFolderName}/${[levelsName(factors), place, hash].filter(Boolean).join('_')}.parquet`;
}

/** Levels as the name of a file or folder, for people: cut where it gets long, and so not unique. */
export function levelsName(factors: FactorLevels): string {
  return Object.values(factors)
    .map((level) => String(level).replace(/[^A-Za-z0-9.-]+/g, '-'))
    .join('_')
    .slice(0, 80);
}
