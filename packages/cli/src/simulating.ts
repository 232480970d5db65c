/** The backend of the files of a simulation, for the verbs that simulate. */
import { createHash } from 'node:crypto';
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import { clusterFile } from '@topo-bench/core/schema/cluster';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readText } from '@topo-bench/experiment/read-inputs';
import { type SimulationFile, simulatedBackend } from '@topo-bench/studies/simulated-backend';
import { parseSource, readDocument } from '@topo-bench/topology';
import type { Backend } from '@topo-bench/trial';
import type { z } from 'zod';
import { findFile, type ShippedKind } from './shipped-files.ts';

/**
 * @param precision half width of the interval of a predicted median, share of the median
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`, or with all problems of a file
 */
export async function simulatedBackendOf(
  calibration: string,
  { cluster, precision }: { cluster?: string | undefined; precision?: number | undefined } = {},
): Promise<Backend> {
  return simulatedBackend({
    calibration: await readFile('calibrations', calibration, calibrationFile),
    cluster: cluster === undefined ? undefined : await readFile('clusters', cluster, clusterFile),
    precision,
  });
}

async function readFile<Schema extends z.ZodType>(
  kind: ShippedKind,
  path: string,
  schema: Schema,
): Promise<SimulationFile<z.output<Schema>>> {
  const { text, file } = await readText(await findFile(kind, path));
  const { value, problems } = readDocument(schema, text, file);
  if (value === undefined) throw problemsError(file, problems);
  return { value, sha256: createHash('sha256').update(text).digest('hex'), source: parseSource({ text, file }) };
}
