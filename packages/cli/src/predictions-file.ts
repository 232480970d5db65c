/** Registered predictions on the disk, and the digests that bind them to an experiment. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cannotWrite, TopoBenchError } from '@topo-bench/core';
import { type Predictions, predictionsFile } from '@topo-bench/core/schema/predictions';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readText } from '@topo-bench/experiment/read-inputs';
import { makeFolder } from '@topo-bench/results';
import { readDocument } from '@topo-bench/topology';
import { requireWritable } from './write-file.ts';

/**
 * Checks the place of a file before the simulation.
 * @throws TopoBenchError `TB_FILE_EXISTS`, `TB_USAGE`
 */
export async function requireNewFile(path: string): Promise<void> {
  await requireWritable(`--register ${path}`, path, 'predictions.json');
  if (existsSync(path)) throw alreadyThere(path);
}

/** @throws TopoBenchError `TB_FILE_EXISTS`: what was registered is not replaced; `TB_FILE_NOT_WRITABLE` */
export async function registerPredictions(
  path: string,
  predictions: Omit<Predictions, 'sha256'>,
): Promise<Predictions> {
  const registered = { ...predictions, sha256: digestOf(predictions) };
  await makeFolder(dirname(path));
  await writeFile(path, `${JSON.stringify(registered, null, 1)}\n`, { flag: 'wx' }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw cause.code === 'EEXIST' ? alreadyThere(path) : cannotWrite(path, cause);
    },
  );
  return registered;
}

function alreadyThere(path: string): TopoBenchError {
  return new TopoBenchError('TB_FILE_EXISTS', `${path} exists: registered predictions are not replaced`, {
    hint: 'name another file',
  });
}

/** @throws TopoBenchError `TB_PREDICTIONS_UNFIT` for a file that was changed; all problems of the file */
export async function readPredictions(path: string): Promise<Predictions> {
  const { text, file } = await readText(path);
  const { value, problems } = readDocument(predictionsFile, text, file);
  if (!value) throw problemsError(file, problems);
  const { sha256, ...others } = value;
  if (digestOf(others) === sha256) return value;
  throw new TopoBenchError('TB_PREDICTIONS_UNFIT', `${path} was changed after it was registered: its digest differs`, {
    hint: 'judge the file as `topo-bench predict` wrote it',
  });
}

/** Digest of the texts of an experiment and the choices, without the paths of its files. */
export function digestOfInputs({ inputs }: Pick<RunRecord, 'inputs'>): string {
  return digestOf(withoutFiles(inputs));
}

function withoutFiles(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutFiles);
  if (typeof part !== 'object' || part === null) return part;
  if ('text' in part && 'file' in part) return part.text;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutFiles(value)]));
}

/** SHA-256 of JSON with sorted keys. */
function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, field]) => [key, sorted(field)]));
}
