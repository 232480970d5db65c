/** The backend of the files of a simulation, for the verbs that simulate. */
import { createHash } from 'node:crypto';
import { type ClusterFile, clusterFile } from '@topo-bench/core/schema/cluster';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { readText } from '@topo-bench/experiment/read-inputs';
import { type SimulationFile, simulatedBackend } from '@topo-bench/studies/simulated-backend';
import { parseSource, readDocument } from '@topo-bench/topology';
import type { Backend } from '@topo-bench/trial';
import { withUncertainty } from '@topo-bench/workbench/calibration';
import { calibrationFor, type FoundCalibration } from './calibration-files.ts';
import { findFile } from './shipped-files.ts';
import type { CalibrationFlags } from './simulation-options.ts';

export interface SimulationFlags extends CalibrationFlags {
  cluster?: string | undefined;
  /** Half width of the interval of a predicted median, share of the median. */
  precision?: number | undefined;
}

/**
 * @param found the calibration of the flags, where the caller has read it
 * @throws TopoBenchError as `calibrationFor`, `TB_FILE_NOT_FOUND`, or with all problems of a file
 */
export async function simulatedBackendOf(
  { cluster, precision, ...flags }: SimulationFlags,
  found?: FoundCalibration,
): Promise<Backend> {
  const { calibration, sha256 } = found ?? (await calibrationFor(flags));
  const backend = simulatedBackend({
    calibration: { value: calibration, sha256 },
    cluster: cluster === undefined ? undefined : await readCluster(cluster),
    precision,
  });
  return withUncertainty(backend, calibration);
}

async function readCluster(path: string): Promise<SimulationFile<ClusterFile>> {
  const { text, file } = await readText(await findFile('clusters', path));
  const { value, problems } = readDocument(clusterFile, text, file);
  if (value === undefined) throw problemsError(file, problems);
  return { value, sha256: createHash('sha256').update(text).digest('hex'), source: parseSource({ text, file }) };
}
