/** The backend of a calibration file, for the verbs that simulate. */
import { createHash } from 'node:crypto';
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readText } from '@topo-bench/experiment/read-inputs';
import { simulatedBackend } from '@topo-bench/studies/simulated-backend';
import { readDocument } from '@topo-bench/topology';
import type { Backend } from '@topo-bench/trial';
import { findFile } from './shipped-files.ts';

/** @throws TopoBenchError `TB_FILE_NOT_FOUND`, or with all problems of the file */
export async function simulatedBackendOf(path: string): Promise<Backend> {
  const { text, file } = await readText(await findFile('calibrations', path));
  const { value, problems } = readDocument(calibrationFile, text, file);
  if (!value) throw problemsError(file, problems);
  return simulatedBackend(value, createHash('sha256').update(text).digest('hex'));
}
