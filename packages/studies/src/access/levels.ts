/** The cells of an experiment: the levels that every table has columns for, and the server that is read. */
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { ServerField } from '@topo-bench/trial';

export function levels({ access }: ExperimentFile): FactorLevels {
  if (!access) return {};
  const { source, own, rows, query, variant } = access;
  return { source, ...(!own && { volume: rows }), query, variant };
}

/** Undefined for a file. */
export function serverOf({ access }: ExperimentFile): ServerField | undefined {
  if (!access || access.source === 'parquet') return undefined;
  return { engine: access.source, url: access.url, image: access.image };
}
